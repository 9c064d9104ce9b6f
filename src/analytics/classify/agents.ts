// AI assistants and coding agents that give their name. Everything they fetch, HTML or Markdown, they fetch for a
// person. Tried after the known crawlers. Patterns are lower case; the first matching row wins, so narrower rows come
// first. Sources: the operators' pages about their agents and, for open-source agents, their code, as of the date of
// the list.

import type { AgentRule } from './rule.ts'

const compatible = (name: string) => `Mozilla/5.0 (compatible; ${name})`
const webKit = (name: string) => `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name})`
const chrome = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)'
const electron = (name: string) => `${chrome} ${name} Chrome/138.0.7204.251 Electron/37.7.0 Safari/537.36`

type Agent = readonly [id: string, pattern: string | RegExp, agent: string, operator: string, example: string]

const codingAgents: readonly Agent[] = [
  // Runs on its user's machine, also says Claude-User, and never has an address of Anthropic.
  [
    'claude-code',
    /claude-code|claude-cli\//,
    'Claude Code',
    'Anthropic',
    'Claude-User (claude-code/2.1.201; +https://support.anthropic.com/)',
  ],
  ['copilot-runtime', 'githubcopilot', 'GitHub Copilot', 'GitHub', 'GitHubCopilotRuntime-WebFetch'],
  ['gemini-cli', /gemini-?cli/, 'Gemini CLI', 'Google', 'GeminiCLI/0.9.0/gemini-2.5-pro (linux; x64)'],
  ['antigravity', /\bantigravity\//, 'Antigravity', 'Google', 'antigravity/1.11.2 darwin/arm64'],
  [
    'codex',
    /\bcodex(?:_cli_rs|_exec|_vscode|-cli|-tui)?\//,
    'Codex',
    'OpenAI',
    'codex_cli_rs/0.144.6 (Mac OS 26.0.1; arm64) iTerm.app/3.6.10',
  ],
  ['opencode', 'opencode', 'opencode', 'Anomaly', 'opencode/1.18.31'],
  ['cursor', /\bcursor(?:-agent|-cli)?\//, 'Cursor', 'Anysphere', electron('Cursor/2.0.69')],
  // Both the built-in browser and the fetch tool of VS Code.
  ['vscode', /\bcode(?: - insiders)?\/1\.\d+\.\d/, 'VS Code', 'Microsoft', electron('Code/1.106.2')],
  ['windsurf', /\bwindsurf\//, 'Windsurf', 'Cognition', electron('Windsurf/1.12.25')],
  ['crush', /^crush\//, 'Crush', 'Charm', 'crush/1.0'],
  ['trae', /\btrae\//, 'Trae', 'ByteDance', electron('Trae/1.107.1')],
  ['zed', /^zed\//, 'Zed', 'Zed Industries', 'Zed/0.212.3 (macos; aarch64)'],
  ['cline', /\b(?:cline|roo-?code|kilo-?code)\//, 'Cline', '', 'Cline/3.38.1'],
  ['aider', /\baider[/ ]/, 'Aider', '', 'Aider/0.86.1 +https://aider.chat/'],
  ['qwen-code', /qwen-?code/, 'Qwen Code', 'Alibaba', 'QwenCode/0.2.1 (linux; x64)'],
  [
    'devin',
    /\bdevin\/|\+https:\/\/devin\.ai/,
    'Devin',
    'Cognition',
    `${chrome} Chrome/137.0.0.0 Safari/537.36; Devin/1.0; +https://devin.ai`,
  ],
  // A command line tool started by an agent says so at the end of its own name.
  ['coding-agent', /\bcoding-agent\/[\w.-]/, 'Coding-Agent', '', 'glab/v1.97.0 (linux, amd64) Coding-Agent/other'],
  ['context7', /\bcontext7\b/, 'Context7', 'Upstash', 'context7-mcp/1.0.31'],
  [
    'mcp-fetch',
    /modelcontextprotocol/,
    'MCP fetch',
    '',
    'ModelContextProtocol/1.0 (User-Specified; +https://github.com/modelcontextprotocol/servers)',
  ],
]

/** Agents that keep the name of a library or of a browser, as a whole string that is always the same. */
const undeclared: readonly Agent[] = [
  // The fetcher of Windsurf has the default name of its library.
  [
    'windsurf-fetcher',
    'colly - https://github.com/gocolly/colly',
    'Windsurf (colly)',
    'Cognition',
    'colly - https://github.com/gocolly/colly',
  ],
  // Chrome 122 says 10_15_7 on every Mac.
  [
    'openclaw',
    /^mozilla\/5\.0 \(macintosh; intel mac os x 14_7_2\) applewebkit\/537\.36 \(khtml, like gecko\) chrome\/122\.0\.0\.0 safari\/537\.36$/,
    'OpenClaw',
    '',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_7_2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0.0 Safari/537.36',
  ],
]

const assistants: readonly Agent[] = [
  ['chatgpt-user', 'chatgpt-user', 'ChatGPT-User', 'OpenAI', webKit('ChatGPT-User/1.0; +https://openai.com/bot')],
  [
    'chatgpt-agent',
    /chatgpt[ -]agent/,
    'ChatGPT agent',
    'OpenAI',
    `${chrome} Chrome/138.0.0.0 Safari/537.36 ChatGPT-Agent/1.0`,
  ],
  ['claude-user', 'claude-user', 'Claude-User', 'Anthropic', webKit('Claude-User/1.0; +Claude-User@anthropic.com')],
  ['claude-desktop', /\bclaude\/[\d.]+.*electron\//, 'Claude Desktop', 'Anthropic', electron('Claude/0.14.10')],
  ['chatgpt-desktop', /\bchatgpt\/[\d.]+.*electron\//, 'ChatGPT Desktop', 'OpenAI', electron('ChatGPT/1.2025.280')],
  [
    'perplexity-user',
    /perplexity-?user/,
    'Perplexity-User',
    'Perplexity',
    webKit('Perplexity-User/1.0; +https://perplexity.ai/perplexity-user'),
  ],
  [
    'perplexity-desktop',
    /\bperplexity\/[\d.]+.*electron\//,
    'Perplexity Desktop',
    'Perplexity',
    electron('Perplexity/1.5.0'),
  ],
  [
    'mistralai-user',
    'mistralai-user',
    'MistralAI-User',
    'Mistral AI',
    webKit('MistralAI-User/1.0; +https://docs.mistral.ai/robots'),
  ],
  [
    'google-agent',
    /google-?agent\b/,
    'Google-Agent',
    'Google',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-Agent; +https://developers.google.com/crawling/docs/crawlers-fetchers/google-agent) Chrome/142.0.7444.162 Safari/537.36',
  ],
  [
    'gemini-deep-research',
    'gemini-deep-research',
    'Gemini-Deep-Research',
    'Google',
    `${webKit('Gemini-Deep-Research; +https://gemini.google/overview/deep-research/')} Chrome/135.0.0.0 Safari/537.36`,
  ],
  [
    'google-notebooklm',
    /\bnotebooklm|google-gemininotebook/,
    'Google-NotebookLM',
    'Google',
    'Mozilla/5.0 (compatible; Google-NotebookLM; +https://notebooklm.google.com/)',
  ],
  [
    'duckassistbot',
    'duckassistbot',
    'DuckAssistBot',
    'DuckDuckGo',
    'DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)',
  ],
  ['cohere-ai', 'cohere-ai', 'cohere-ai', 'Cohere', 'Mozilla/5.0 (compatible; cohere-ai/1.0)'],
  [
    'meta-externalfetcher',
    'meta-externalfetcher',
    'meta-externalfetcher',
    'Meta',
    'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  ],
  [
    'amzn-user',
    'amzn-user',
    'Amzn-User',
    'Amazon',
    'Mozilla/5.0 (compatible; Amzn-User/0.1; +https://developer.amazon.com/amazonbot)',
  ],
  ['novaact', /\bnova-?act\b/, 'Nova Act', 'Amazon', `${chrome} Chrome/132.0.0.0 Safari/537.36 Agent-NovaAct/1.0`],
  [
    'bedrock-agentcore',
    'bedrock-agentcore',
    'Amazon Bedrock AgentCore',
    'Amazon',
    'Mozilla/5.0 (compatible; Amazon-Bedrock-AgentCore-Browser; +https://aws.amazon.com/bedrock/)',
  ],
  ['kimi-user', 'kimi-user', 'Kimi-User', 'Moonshot AI', webKit('Kimi-User/1.0')],
  [
    'manus-user',
    /\bmanus-user\b/,
    'Manus',
    'Butterfly Effect',
    `${chrome} Chrome/132.0.0.0 Safari/537.36; Manus-User/1.0`,
  ],
  ['grok', /\bgrok-?(?:agent|user|deepsearch)\b/, 'Grok', 'xAI', 'grok-agent/1.0'],
  ['diffbot-user', 'diffbot-user', 'Diffbot-User', 'Diffbot', 'Mozilla/5.0 (compatible; Diffbot-User/1.0)'],
  ['shap-user', 'shap-user', 'Shap-User', 'Parallel', webKit('Shap-User/0.1.0')],
  ['kagi-fetcher', 'kagi-fetcher', 'kagi-fetcher', 'Kagi', 'kagi-fetcher/1.0'],
  ['tongyibot', 'tongyibot', 'TongyiBot', 'Alibaba', compatible('TongyiBot/1.0')],
  ['yiyanbot', 'yiyanbot', 'YiyanBot', 'Baidu', compatible('YiyanBot/1.0')],
  ['linerbot', 'linerbot', 'LinerBot', 'Liner', compatible('LinerBot/1.0; +https://liner.com')],
  ['bigsur', 'bigsur.ai', 'bigsur.ai', 'Big Sur AI', compatible('bigsur.ai')],
  ['phindbot', 'phindbot', 'PhindBot', 'Phind', compatible('PhindBot; +https://www.phind.com/')],
  ['chatgpt-browser', 'chatgpt-browser', 'ChatGPT-Browser', 'OpenAI', compatible('ChatGPT-Browser/1.0')],
  ['openai-operator', /\boperator\/\d|compatible; operator\b/, 'Operator', 'OpenAI', compatible('Operator/1.0')],
  ['character-ai', 'character-ai', 'Character-AI', 'Character.AI', compatible('Character-AI/1.0')],
  ['google-pinpoint', 'google-pinpoint', 'Google-Pinpoint', 'Google', 'Google-Pinpoint'],
  ['amazon-buy-for-me', 'amazonbuyforme', 'AmazonBuyForMe', 'Amazon', compatible('AmazonBuyForMe/1.0')],
  ['amazon-qbusiness', 'amazon-qbusiness', 'amazon-QBusiness', 'Amazon', 'amazon-QBusiness'],
  ['poggio', 'poggio-citations', 'Poggio-Citations', 'Poggio', compatible('Poggio-Citations/1.0')],
  ['klaviyo', 'klaviyoaibot', 'KlaviyoAIBot', 'Klaviyo', compatible('KlaviyoAIBot/1.0')],
  [
    'ai2-deep-research',
    'ai2bot-deepresearcheval',
    'AI2Bot-DeepResearchEval',
    'Allen Institute for AI',
    compatible('AI2Bot-DeepResearchEval'),
  ],
  ['useai', /\buseai\b/, 'UseAI', '', 'UseAI/1.0'],
  ['geisthaus', 'geisthaus-pagefetcher', 'GeistHaus-PageFetcher', 'GeistHaus', 'GeistHaus-PageFetcher/1.0'],
  ['twinagent', 'twinagent', 'TwinAgent', 'Twin', 'Mozilla/5.0 (compatible; TwinAgent; +https://www.twinagent.com/)'],
  // Microsoft's own product names, as whole words: no phone has Copilot in its name.
  ['copilot', /\bcopilot\b/, 'Copilot', 'Microsoft', `${chrome} Chrome/138.0.0.0 Safari/537.36 Copilot/1.0`],
]

export const agents: readonly AgentRule[] = [
  ...codingAgents.map((row) => toRule('ai_coding_agent', row)),
  ...assistants.map((row) => toRule('ai_assistant', row)),
  ...undeclared.map((row) => toRule('ai_undeclared', row)),
]

function toRule(category: AgentRule['category'], [id, pattern, agent, operator, example]: Agent): AgentRule {
  return { id, pattern, category, agent, operator, example }
}
