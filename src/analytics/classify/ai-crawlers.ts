// Crawlers of companies that make models: they collect training data or fill the index that assistants search. They are
// tried first, because `crawler-user-agents` has one tag for both and for assistants. Patterns are lower case. Sources:
// the operators' pages about their crawlers, as of the date of the list.

import { type AgentRow, type AgentRule, compatible, toRule, webKit } from './rule.ts'

const training: readonly AgentRow[] = [
  ['GPTBot', 'OpenAI', webKit('GPTBot/1.3; +https://openai.com/gptbot')],
  ['ClaudeBot', 'Anthropic', webKit('ClaudeBot/1.0; +claudebot@anthropic.com')],
  ['anthropic-ai', 'Anthropic', compatible('anthropic-ai/1.0')],
  ['Claude-Web', 'Anthropic', 'Claude-Web/1.0 (web crawler; bots@anthropic.com)'],
  ['CCBot', 'Common Crawl', 'CCBot/2.0 (https://commoncrawl.org/faq/)'],
  // A token for robots.txt that Google never sends. A client with this name is somebody else, so it has no operator.
  ['Google-Extended', '', compatible('Google-Extended/1.0')],
  ['GoogleOther', 'Google', 'GoogleOther'],
  ['Google-CloudVertexBot', 'Google', compatible('Google-CloudVertexBot'), { pattern: 'cloudvertexbot' }],
  ['Bytespider', 'ByteDance', compatible('Bytespider; spider-feedback@bytedance.com')],
  ['TikTokSpider', 'ByteDance', compatible('TikTokSpider; ttspider-feedback@tiktok.com')],
  [
    'Amazonbot',
    'Amazon',
    webKit('Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot'),
    { pattern: 'amazonbot/' },
  ],
  // A token for robots.txt: Apple sends `Applebot`, which is a search crawler first.
  ['Applebot-Extended', '', compatible('Applebot-Extended/0.1')],
  [
    'meta-externalagent',
    'Meta',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  ],
  [
    'FacebookBot',
    'Meta',
    compatible('FacebookBot/1.0; +https://developers.facebook.com/docs/sharing/webmasters/facebookbot/'),
  ],
  [
    'cohere-training-data-crawler',
    'Cohere',
    'cohere-training-data-crawler (+crawler@cohere.ai)',
    { id: 'cohere-training' },
  ],
  ['MistralAI-Training', 'Mistral AI', webKit('MistralAI-Training/1.0; +https://docs.mistral.ai/robots')],
  [
    'AI2Bot',
    'Allen Institute for AI',
    compatible('AI2Bot; +https://www.allenai.org/crawler'),
    { pattern: /ai2bot(?!-deepresearcheval)/ },
  ],
  ['DeepSeekBot', 'DeepSeek', compatible('DeepSeekBot/1.0; +https://www.deepseek.com/bot')],
  ['KimiBot', 'Moonshot AI', compatible('KimiBot/1.0')],
  ['ChatGLM-Spider', 'Zhipu AI', compatible('ChatGLM-Spider/1.0; +https://chatglm.cn/')],
  ['PanguBot', 'Huawei', compatible('PanguBot; pangubot@huawei.com')],
  [
    'Diffbot',
    'Diffbot',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Diffbot/3.3; +http://www.diffbot.com)',
    { pattern: /diffbot(?!-user)/ },
  ],
  ['Webz.io', 'Webz.io', 'omgili/0.5 +http://omgili.com', { id: 'omgili', pattern: /omgili|webzio/ }],
  ['img2dataset', '', compatible('img2dataset; +https://github.com/rom1504/img2dataset')],
  ['Firecrawl', 'Firecrawl', compatible('FirecrawlAgent; +https://firecrawl.dev/')],
  ['xAI-Bot', 'xAI', compatible('xAI-Bot/1.0')],
  ['HuggingFace-Bot', 'Hugging Face', compatible('HuggingFace-Bot/1.0')],
  ['Together-Bot', 'Together AI', compatible('Together-Bot/1.0')],
  ['Replicate-Bot', 'Replicate', compatible('Replicate-Bot/1.0')],
  ['Groq-Bot', 'Groq', compatible('Groq-Bot/1.0')],
  ['RunPod-Bot', 'RunPod', compatible('RunPod-Bot/1.0')],
  ['bedrockbot', 'Amazon', compatible('bedrockbot/1.0')],
  ['Anthropic-Claude', 'Anthropic', 'Anthropic-Claude/1.0'],
  ['Cohere-Command', 'Cohere', 'Cohere-Command/1.0'],
  ['ICC-Crawler', 'NICT', 'ICC-Crawler/3.0 (Mozilla-compatible; https://ucri.nict.go.jp/)'],
  ['Crawl4AI', '', 'Crawl4AI/0.7'],
  ['Spider', 'Spider', 'Spider/2.0', { id: 'spider-cloud', pattern: /^spider(?:\/[\d.]+)?$|\bspider\.cloud\b/ }],
  ['Cotoyogi', 'ROIS', compatible('Cotoyogi/4.0; +https://ds.rois.ac.jp/center8/crawler/')],
  ['FriendlyCrawler', '', 'FriendlyCrawler/1.0'],
  ['WARDBot', 'WEBSPARK', compatible('WARDBot/1.0')],
  ['VelenPublicWebCrawler', 'Velen', compatible('VelenPublicWebCrawler; +velen.io'), { id: 'velen' }],
  ['panscient.com', 'Panscient', 'panscient.com', { id: 'panscient', pattern: 'panscient' }],
  [
    'Sidetrade indexer bot',
    'Sidetrade',
    compatible('Sidetrade indexer bot'),
    { id: 'sidetrade', pattern: 'sidetrade indexer' },
  ],
  [
    'TerraCotta',
    'Ceramic AI',
    'TerraCotta https://github.com/CeramicTeam/CeramicTerracotta',
    { id: 'terra-cotta', pattern: /terra ?cotta/ },
  ],
  ['AIWebIndex', 'Lyrenth', compatible('AIWebIndex/1.0')],
]

const aiSearch: readonly AgentRow[] = [
  [
    'OAI-SearchBot',
    'OpenAI',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot',
  ],
  ['Claude-SearchBot', 'Anthropic', webKit('Claude-SearchBot/1.0; +https://www.anthropic.com')],
  ['PerplexityBot', 'Perplexity', webKit('PerplexityBot/1.0; +https://perplexity.ai/perplexitybot')],
  ['MistralAI-Index', 'Mistral AI', webKit('MistralAI-Index/1.0; +https://docs.mistral.ai/robots')],
  ['meta-webindexer', 'Meta', 'meta-webindexer/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)'],
  ['Amzn-SearchBot', 'Amazon', webKit('Amzn-SearchBot/0.1)')],
  [
    'AzureAI-SearchBot',
    'Microsoft',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; AzureAI-SearchBot/1.0;',
  ],
  ['Kimi-SearchBot', 'Moonshot AI', compatible('Kimi-SearchBot/1.0')],
  ['YouBot', 'You.com', compatible('YouBot/1.0; +https://about.you.com/youbot/')],
  // Exalead's search engine had a crawler with the same name, which gives its own address or a purpose.
  [
    'ExaSearchBot',
    'Exa',
    compatible('ExaSearchBot/1.0; +https://exa.ai/'),
    { id: 'exabot', pattern: /exasearchbot|(?<![a-z])exabot(?![-.]|[^]*(?:exabot\.com|exalead))/ },
  ],
  ['TavilyBot', 'Tavily', compatible('TavilyBot; +https://tavily.com/')],
  ['LinkupBot', 'Linkup', 'LinkupBot/1.0 (LinkupBot for web indexing; https://linkup.so/bot; bot@linkup.so)'],
  ['ShapBot', 'Parallel', 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ShapBot/0.1.0'],
  ['Timpibot', 'Timpi', 'Timpibot/0.8 (+http://www.timpi.io)'],
  ['Cloudflare-AutoRAG', 'Cloudflare', compatible('Cloudflare-AutoRAG')],
  ['Anomura', 'Direqt', compatible('Anomura; +https://direqt.ai')],
  ['Channel3Bot', 'Channel3', compatible('Channel3Bot/1.0')],
  ['atlassian-bot', 'Atlassian', compatible('atlassian-bot/1.0')],
  ['QueritBot', 'Querit', compatible('QueritBot/1.0'), { pattern: /querit-?(?:search)?bot/ }],
  ['amazon-kendra', 'Amazon', 'amazon-kendra'],
]

export const aiCrawlers: readonly AgentRule[] = [
  ...training.map((row) => toRule('ai_training', row)),
  ...aiSearch.map((row) => toRule('ai_search', row)),
]
