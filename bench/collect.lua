-- What `wrk` sends for `collect.ts`: page views as a browser reports them, each with an id that no other run has.
local run = os.getenv("RUN")
local sent = 0
local headers = { ["Origin"] = "https://docs.example.com", ["Content-Type"] = "text/plain" }

request = function()
  sent = sent + 1
  local body = string.format('{"id":"%s-%d","url":"https://docs.example.com/guides/page-%d"}', run, sent, sent % 500)
  return wrk.format("POST", nil, headers, body)
end
