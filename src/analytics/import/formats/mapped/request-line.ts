// The request line of a log: method, target and version. Servers cut long ones, and a path that was cut is another page.

type RequestLine = { readonly method: string; readonly target: string }

/** HAProxy keeps 1,024 bytes of a request line, and closes its quote. */
const longest = 1_000

/** `isClosed`: the quote after it is in the line. Returns undefined if the end of the path is missing. */
export function readRequestLine(text: string, isClosed = true): RequestLine | undefined {
  const [, method, rest = ''] = /^([A-Z_-]{1,32}) (.*)$/s.exec(text) ?? []
  if (method === undefined) return undefined
  const version = rest.lastIndexOf(' HTTP/')
  if (version >= 0) return { method, target: rest.slice(0, version) }
  if (isClosed && text.length < longest) return { method, target: rest }
  const end = rest.search(/[ ?]/)
  return end < 0 ? undefined : { method, target: rest.slice(0, end) }
}
