// Crawlers of companies that make models: they collect training data or fill the index that assistants search. They are
// tried first, because `crawler-user-agents` has one tag for both and for assistants. Patterns are lower case. Sources:
// the operators' pages about their crawlers, as of the date of the list.

import type { AgentRule } from './rule.ts'

const compatible = (name: string) => `Mozilla/5.0 (compatible; ${name})`
const webKit = (name: string) => `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name})`

type Crawler = readonly [id: string, pattern: string | RegExp, agent: string, operator: string, example: string]

const training: readonly Crawler[] = [
  ['gptbot', 'gptbot', 'GPTBot', 'OpenAI', webKit('GPTBot/1.3; +https://openai.com/gptbot')],
  ['claudebot', 'claudebot', 'ClaudeBot', 'Anthropic', webKit('ClaudeBot/1.0; +claudebot@anthropic.com')],
  ['anthropic-ai', 'anthropic-ai', 'anthropic-ai', 'Anthropic', compatible('anthropic-ai/1.0')],
  ['claude-web', 'claude-web', 'Claude-Web', 'Anthropic', 'Claude-Web/1.0 (web crawler; bots@anthropic.com)'],
  ['ccbot', 'ccbot', 'CCBot', 'Common Crawl', 'CCBot/2.0 (https://commoncrawl.org/faq/)'],
  // A token for robots.txt that Google never sends. A client with this name is somebody else, so it has no operator.
  ['google-extended', 'google-extended', 'Google-Extended', '', compatible('Google-Extended/1.0')],
  ['googleother', 'googleother', 'GoogleOther', 'Google', 'GoogleOther'],
  ['google-cloudvertexbot', 'cloudvertexbot', 'Google-CloudVertexBot', 'Google', compatible('Google-CloudVertexBot')],
  ['bytespider', 'bytespider', 'Bytespider', 'ByteDance', compatible('Bytespider; spider-feedback@bytedance.com')],
  [
    'tiktokspider',
    'tiktokspider',
    'TikTokSpider',
    'ByteDance',
    compatible('TikTokSpider; ttspider-feedback@tiktok.com'),
  ],
  [
    'amazonbot',
    'amazonbot/',
    'Amazonbot',
    'Amazon',
    webKit('Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot'),
  ],
  // A token for robots.txt: Apple sends `Applebot`, which is a search crawler first.
  ['applebot-extended', 'applebot-extended', 'Applebot-Extended', '', compatible('Applebot-Extended/0.1')],
  [
    'meta-externalagent',
    'meta-externalagent',
    'meta-externalagent',
    'Meta',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  ],
  [
    'facebookbot',
    'facebookbot',
    'FacebookBot',
    'Meta',
    compatible('FacebookBot/1.0; +https://developers.facebook.com/docs/sharing/webmasters/facebookbot/'),
  ],
  [
    'cohere-training',
    'cohere-training-data-crawler',
    'cohere-training-data-crawler',
    'Cohere',
    'cohere-training-data-crawler (+crawler@cohere.ai)',
  ],
  [
    'mistralai-training',
    'mistralai-training',
    'MistralAI-Training',
    'Mistral AI',
    webKit('MistralAI-Training/1.0; +https://docs.mistral.ai/robots'),
  ],
  [
    'ai2bot',
    /ai2bot(?!-deepresearcheval)/,
    'AI2Bot',
    'Allen Institute for AI',
    compatible('AI2Bot; +https://www.allenai.org/crawler'),
  ],
  [
    'deepseekbot',
    'deepseekbot',
    'DeepSeekBot',
    'DeepSeek',
    compatible('DeepSeekBot/1.0; +https://www.deepseek.com/bot'),
  ],
  ['kimibot', 'kimibot', 'KimiBot', 'Moonshot AI', compatible('KimiBot/1.0')],
  [
    'chatglm-spider',
    'chatglm-spider',
    'ChatGLM-Spider',
    'Zhipu AI',
    compatible('ChatGLM-Spider/1.0; +https://chatglm.cn/'),
  ],
  ['pangubot', 'pangubot', 'PanguBot', 'Huawei', compatible('PanguBot; pangubot@huawei.com')],
  [
    'diffbot',
    /diffbot(?!-user)/,
    'Diffbot',
    'Diffbot',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Diffbot/3.3; +http://www.diffbot.com)',
  ],
  ['omgili', /omgili|webzio/, 'Webz.io', 'Webz.io', 'omgili/0.5 +http://omgili.com'],
  ['img2dataset', 'img2dataset', 'img2dataset', '', compatible('img2dataset; +https://github.com/rom1504/img2dataset')],
  ['firecrawl', 'firecrawl', 'Firecrawl', 'Firecrawl', compatible('FirecrawlAgent; +https://firecrawl.dev/')],
  ['xai-bot', 'xai-bot', 'xAI-Bot', 'xAI', compatible('xAI-Bot/1.0')],
  ['huggingface-bot', 'huggingface-bot', 'HuggingFace-Bot', 'Hugging Face', compatible('HuggingFace-Bot/1.0')],
  ['together-bot', 'together-bot', 'Together-Bot', 'Together AI', compatible('Together-Bot/1.0')],
  ['replicate-bot', 'replicate-bot', 'Replicate-Bot', 'Replicate', compatible('Replicate-Bot/1.0')],
  ['groq-bot', 'groq-bot', 'Groq-Bot', 'Groq', compatible('Groq-Bot/1.0')],
  ['runpod-bot', 'runpod-bot', 'RunPod-Bot', 'RunPod', compatible('RunPod-Bot/1.0')],
  ['bedrockbot', 'bedrockbot', 'bedrockbot', 'Amazon', compatible('bedrockbot/1.0')],
  ['anthropic-claude', 'anthropic-claude', 'Anthropic-Claude', 'Anthropic', 'Anthropic-Claude/1.0'],
  ['cohere-command', 'cohere-command', 'Cohere-Command', 'Cohere', 'Cohere-Command/1.0'],
  [
    'icc-crawler',
    'icc-crawler',
    'ICC-Crawler',
    'NICT',
    'ICC-Crawler/3.0 (Mozilla-compatible; https://ucri.nict.go.jp/)',
  ],
  ['crawl4ai', 'crawl4ai', 'Crawl4AI', '', 'Crawl4AI/0.7'],
  ['spider-cloud', /^spider(?:\/[\d.]+)?$|\bspider\.cloud\b/, 'Spider', 'Spider', 'Spider/2.0'],
  ['cotoyogi', 'cotoyogi', 'Cotoyogi', 'ROIS', compatible('Cotoyogi/4.0; +https://ds.rois.ac.jp/center8/crawler/')],
  ['friendlycrawler', 'friendlycrawler', 'FriendlyCrawler', '', 'FriendlyCrawler/1.0'],
  ['wardbot', 'wardbot', 'WARDBot', 'WEBSPARK', compatible('WARDBot/1.0')],
  ['velen', 'velenpublicwebcrawler', 'VelenPublicWebCrawler', 'Velen', compatible('VelenPublicWebCrawler; +velen.io')],
  ['panscient', 'panscient', 'panscient.com', 'Panscient', 'panscient.com'],
  ['sidetrade', 'sidetrade indexer', 'Sidetrade indexer bot', 'Sidetrade', compatible('Sidetrade indexer bot')],
  [
    'terra-cotta',
    /terra ?cotta/,
    'TerraCotta',
    'Ceramic AI',
    'TerraCotta https://github.com/CeramicTeam/CeramicTerracotta',
  ],
  ['aiwebindex', 'aiwebindex', 'AIWebIndex', 'Lyrenth', compatible('AIWebIndex/1.0')],
]

const aiSearch: readonly Crawler[] = [
  [
    'oai-searchbot',
    'oai-searchbot',
    'OAI-SearchBot',
    'OpenAI',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot',
  ],
  [
    'claude-searchbot',
    'claude-searchbot',
    'Claude-SearchBot',
    'Anthropic',
    webKit('Claude-SearchBot/1.0; +https://www.anthropic.com'),
  ],
  [
    'perplexitybot',
    'perplexitybot',
    'PerplexityBot',
    'Perplexity',
    webKit('PerplexityBot/1.0; +https://perplexity.ai/perplexitybot'),
  ],
  [
    'mistralai-index',
    'mistralai-index',
    'MistralAI-Index',
    'Mistral AI',
    webKit('MistralAI-Index/1.0; +https://docs.mistral.ai/robots'),
  ],
  [
    'meta-webindexer',
    'meta-webindexer',
    'meta-webindexer',
    'Meta',
    'meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  ],
  ['amzn-searchbot', 'amzn-searchbot', 'Amzn-SearchBot', 'Amazon', webKit('Amzn-SearchBot/0.1)')],
  [
    'azureai-searchbot',
    'azureai-searchbot',
    'AzureAI-SearchBot',
    'Microsoft',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; AzureAI-SearchBot/1.0;',
  ],
  ['kimi-searchbot', 'kimi-searchbot', 'Kimi-SearchBot', 'Moonshot AI', compatible('Kimi-SearchBot/1.0')],
  ['youbot', 'youbot', 'YouBot', 'You.com', compatible('YouBot/1.0; +https://about.you.com/youbot/')],
  // Exalead's search engine had a crawler with the same name, which gives its own address or a purpose.
  [
    'exabot',
    /exasearchbot|(?<![a-z])exabot(?![-.]|[^]*(?:exabot\.com|exalead))/,
    'ExaSearchBot',
    'Exa',
    compatible('ExaSearchBot/1.0; +https://exa.ai/'),
  ],
  ['tavilybot', 'tavilybot', 'TavilyBot', 'Tavily', compatible('TavilyBot; +https://tavily.com/')],
  [
    'linkupbot',
    'linkupbot',
    'LinkupBot',
    'Linkup',
    'LinkupBot/1.0 (LinkupBot for web indexing; https://linkup.so/bot; bot@linkup.so)',
  ],
  [
    'shapbot',
    'shapbot',
    'ShapBot',
    'Parallel',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ShapBot/0.1.0',
  ],
  ['timpibot', 'timpibot', 'Timpibot', 'Timpi', 'Timpibot/0.8 (+http://www.timpi.io)'],
  ['cloudflare-autorag', 'cloudflare-autorag', 'Cloudflare-AutoRAG', 'Cloudflare', compatible('Cloudflare-AutoRAG')],
  ['anomura', 'anomura', 'Anomura', 'Direqt', compatible('Anomura; +https://direqt.ai')],
  ['channel3bot', 'channel3bot', 'Channel3Bot', 'Channel3', compatible('Channel3Bot/1.0')],
  ['atlassian-bot', 'atlassian-bot', 'atlassian-bot', 'Atlassian', compatible('atlassian-bot/1.0')],
  ['queritbot', /querit-?(?:search)?bot/, 'QueritBot', 'Querit', compatible('QueritBot/1.0')],
  ['amazon-kendra', 'amazon-kendra', 'amazon-kendra', 'Amazon', 'amazon-kendra'],
]

export const aiCrawlers: readonly AgentRule[] = [
  ...training.map((row) => toRule('ai_training', row)),
  ...aiSearch.map((row) => toRule('ai_search', row)),
]

function toRule(category: AgentRule['category'], [id, pattern, agent, operator, example]: Crawler): AgentRule {
  return { id, pattern, category, agent, operator, example }
}
