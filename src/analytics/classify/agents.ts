// AI assistants and coding agents that give their name. Everything they fetch, HTML or Markdown, they fetch for a
// person. Tried after the known crawlers. Patterns are lower case; the first matching row wins, so narrower rows come
// first. Sources: the operators' pages about their agents and, for open-source agents, their code, as of the date of
// the list.

import { type AgentRow, type AgentRule, compatible, toRule, webKit } from './rule.ts'

const chrome = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)'
const electron = (name: string) => `${chrome} ${name} Chrome/138.0.7204.251 Electron/37.7.0 Safari/537.36`

const codingAgents: readonly AgentRow[] = [
  // Runs on its user's machine, also says Claude-User, and never has an address of Anthropic.
  [
    'Claude Code',
    'Anthropic',
    'Claude-User (claude-code/2.1.201; +https://support.anthropic.com/)',
    { pattern: /claude-code|claude-cli\// },
  ],
  ['GitHub Copilot', 'GitHub', 'GitHubCopilotRuntime-WebFetch', { id: 'copilot-runtime', pattern: 'githubcopilot' }],
  ['Gemini CLI', 'Google', 'GeminiCLI/0.9.0/gemini-2.5-pro (linux; x64)', { pattern: /gemini-?cli/ }],
  ['Antigravity', 'Google', 'antigravity/1.11.2 darwin/arm64', { pattern: /\bantigravity\// }],
  [
    'Codex',
    'OpenAI',
    'codex_cli_rs/0.144.6 (Mac OS 26.0.1; arm64) iTerm.app/3.6.10',
    { pattern: /\bcodex(?:_cli_rs|_exec|_vscode|-cli|-tui)?\// },
  ],
  ['opencode', 'Anomaly', 'opencode/1.18.31'],
  ['Cursor', 'Anysphere', electron('Cursor/2.0.69'), { pattern: /\bcursor(?:-agent|-cli)?\// }],
  // Both the built-in browser and the fetch tool of VS Code.
  ['VS Code', 'Microsoft', electron('Code/1.106.2'), { id: 'vscode', pattern: /\bcode(?: - insiders)?\/1\.\d+\.\d/ }],
  ['Windsurf', 'Cognition', electron('Windsurf/1.12.25'), { pattern: /\bwindsurf\// }],
  ['Crush', 'Charm', 'crush/1.0', { pattern: /^crush\// }],
  ['Trae', 'ByteDance', electron('Trae/1.107.1'), { pattern: /\btrae\// }],
  ['Zed', 'Zed Industries', 'Zed/0.212.3 (macos; aarch64)', { pattern: /^zed\// }],
  ['Cline', '', 'Cline/3.38.1', { pattern: /\b(?:cline|roo-?code|kilo-?code)\// }],
  ['Aider', '', 'Aider/0.86.1 +https://aider.chat/', { pattern: /\baider[/ ]/ }],
  ['Qwen Code', 'Alibaba', 'QwenCode/0.2.1 (linux; x64)', { pattern: /qwen-?code/ }],
  [
    'Devin',
    'Cognition',
    `${chrome} Chrome/137.0.0.0 Safari/537.36; Devin/1.0; +https://devin.ai`,
    { pattern: /\bdevin\/|\+https:\/\/devin\.ai/ },
  ],
  // A command line tool started by an agent says so at the end of its own name.
  ['Coding-Agent', '', 'glab/v1.97.0 (linux, amd64) Coding-Agent/other', { pattern: /\bcoding-agent\/[\w.-]/ }],
  ['Context7', 'Upstash', 'context7-mcp/1.0.31', { pattern: /\bcontext7\b/ }],
  [
    'MCP fetch',
    '',
    'ModelContextProtocol/1.0 (User-Specified; +https://github.com/modelcontextprotocol/servers)',
    { pattern: /modelcontextprotocol/ },
  ],
]

/** Agents that keep the name of a library or of a browser, as a whole string that is always the same. */
const undeclared: readonly AgentRow[] = [
  // The fetcher of Windsurf has the default name of its library.
  [
    'Windsurf (colly)',
    'Cognition',
    'colly - https://github.com/gocolly/colly',
    { id: 'windsurf-fetcher', pattern: 'colly - https://github.com/gocolly/colly' },
  ],
  // Chrome 122 says 10_15_7 on every Mac.
  [
    'OpenClaw',
    '',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_7_2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0.0 Safari/537.36',
    {
      pattern:
        /^mozilla\/5\.0 \(macintosh; intel mac os x 14_7_2\) applewebkit\/537\.36 \(khtml, like gecko\) chrome\/122\.0\.0\.0 safari\/537\.36$/,
    },
  ],
]

const assistants: readonly AgentRow[] = [
  ['ChatGPT-User', 'OpenAI', webKit('ChatGPT-User/1.0; +https://openai.com/bot')],
  [
    'ChatGPT agent',
    'OpenAI',
    `${chrome} Chrome/138.0.0.0 Safari/537.36 ChatGPT-Agent/1.0`,
    { pattern: /chatgpt[ -]agent/ },
  ],
  ['Claude-User', 'Anthropic', webKit('Claude-User/1.0; +Claude-User@anthropic.com')],
  ['Claude Desktop', 'Anthropic', electron('Claude/0.14.10'), { pattern: /\bclaude\/[\d.]+.*electron\// }],
  ['ChatGPT Desktop', 'OpenAI', electron('ChatGPT/1.2025.280'), { pattern: /\bchatgpt\/[\d.]+.*electron\// }],
  [
    'Perplexity-User',
    'Perplexity',
    webKit('Perplexity-User/1.0; +https://perplexity.ai/perplexity-user'),
    { pattern: /perplexity-?user/ },
  ],
  ['Perplexity Desktop', 'Perplexity', electron('Perplexity/1.5.0'), { pattern: /\bperplexity\/[\d.]+.*electron\// }],
  ['MistralAI-User', 'Mistral AI', webKit('MistralAI-User/1.0; +https://docs.mistral.ai/robots')],
  [
    'Google-Agent',
    'Google',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-Agent; +https://developers.google.com/crawling/docs/crawlers-fetchers/google-agent) Chrome/142.0.7444.162 Safari/537.36',
    { pattern: /google-?agent\b/ },
  ],
  [
    'Gemini-Deep-Research',
    'Google',
    `${webKit('Gemini-Deep-Research; +https://gemini.google/overview/deep-research/')} Chrome/135.0.0.0 Safari/537.36`,
  ],
  [
    'Google-NotebookLM',
    'Google',
    compatible('Google-NotebookLM; +https://notebooklm.google.com/'),
    { pattern: /\bnotebooklm|google-gemininotebook/ },
  ],
  ['DuckAssistBot', 'DuckDuckGo', 'DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)'],
  ['cohere-ai', 'Cohere', compatible('cohere-ai/1.0')],
  [
    'meta-externalfetcher',
    'Meta',
    'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  ],
  ['Amzn-User', 'Amazon', compatible('Amzn-User/0.1; +https://developer.amazon.com/amazonbot')],
  [
    'Nova Act',
    'Amazon',
    `${chrome} Chrome/132.0.0.0 Safari/537.36 Agent-NovaAct/1.0`,
    { id: 'novaact', pattern: /\bnova-?act\b/ },
  ],
  [
    'Amazon Bedrock AgentCore',
    'Amazon',
    compatible('Amazon-Bedrock-AgentCore-Browser; +https://aws.amazon.com/bedrock/'),
    { id: 'bedrock-agentcore', pattern: 'bedrock-agentcore' },
  ],
  ['Kimi-User', 'Moonshot AI', webKit('Kimi-User/1.0')],
  [
    'Manus',
    'Butterfly Effect',
    `${chrome} Chrome/132.0.0.0 Safari/537.36; Manus-User/1.0`,
    { id: 'manus-user', pattern: /\bmanus-user\b/ },
  ],
  ['Grok', 'xAI', 'grok-agent/1.0', { pattern: /\bgrok-?(?:agent|user|deepsearch)\b/ }],
  ['Diffbot-User', 'Diffbot', compatible('Diffbot-User/1.0')],
  ['Shap-User', 'Parallel', webKit('Shap-User/0.1.0')],
  ['kagi-fetcher', 'Kagi', 'kagi-fetcher/1.0'],
  ['TongyiBot', 'Alibaba', compatible('TongyiBot/1.0')],
  ['YiyanBot', 'Baidu', compatible('YiyanBot/1.0')],
  ['LinerBot', 'Liner', compatible('LinerBot/1.0; +https://liner.com')],
  ['bigsur.ai', 'Big Sur AI', compatible('bigsur.ai'), { id: 'bigsur' }],
  ['PhindBot', 'Phind', compatible('PhindBot; +https://www.phind.com/')],
  ['ChatGPT-Browser', 'OpenAI', compatible('ChatGPT-Browser/1.0')],
  [
    'Operator',
    'OpenAI',
    compatible('Operator/1.0'),
    { id: 'openai-operator', pattern: /\boperator\/\d|compatible; operator\b/ },
  ],
  ['Character-AI', 'Character.AI', compatible('Character-AI/1.0')],
  ['Google-Pinpoint', 'Google', 'Google-Pinpoint'],
  ['AmazonBuyForMe', 'Amazon', compatible('AmazonBuyForMe/1.0'), { id: 'amazon-buy-for-me' }],
  ['amazon-QBusiness', 'Amazon', 'amazon-QBusiness'],
  ['Poggio-Citations', 'Poggio', compatible('Poggio-Citations/1.0'), { id: 'poggio' }],
  ['KlaviyoAIBot', 'Klaviyo', compatible('KlaviyoAIBot/1.0'), { id: 'klaviyo' }],
  [
    'AI2Bot-DeepResearchEval',
    'Allen Institute for AI',
    compatible('AI2Bot-DeepResearchEval'),
    { id: 'ai2-deep-research' },
  ],
  ['UseAI', '', 'UseAI/1.0', { pattern: /\buseai\b/ }],
  ['GeistHaus-PageFetcher', 'GeistHaus', 'GeistHaus-PageFetcher/1.0', { id: 'geisthaus' }],
  ['TwinAgent', 'Twin', compatible('TwinAgent; +https://www.twinagent.com/')],
  // Microsoft's own product names, as whole words: no phone has Copilot in its name.
  ['Copilot', 'Microsoft', `${chrome} Chrome/138.0.0.0 Safari/537.36 Copilot/1.0`, { pattern: /\bcopilot\b/ }],
]

export const agents: readonly AgentRule[] = [
  ...codingAgents.map((row) => toRule('ai_coding_agent', row)),
  ...assistants.map((row) => toRule('ai_assistant', row)),
  ...undeclared.map((row) => toRule('ai_undeclared', row)),
]
