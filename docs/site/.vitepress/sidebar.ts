// The navigation of the site, which is also the order of `llms.txt`. `docent check` compares it with the pages.

export type Group = { readonly text: string; readonly items: { readonly text: string; readonly link: string }[] }

export const sidebar: Group[] = [
  {
    text: 'Start',
    items: [
      { text: 'Your first job', link: '/guides/first-job' },
      { text: 'The dashboard', link: '/guides/dashboard' },
      { text: 'Concepts and glossary', link: '/concepts' },
    ],
  },
  {
    text: 'Edit the docs',
    items: [
      { text: 'Connect a forge', link: '/guides/forges' },
      { text: 'Models', link: '/guides/models' },
      { text: 'Automations', link: '/guides/automations' },
      { text: 'Sources', link: '/guides/sources' },
      { text: 'Comments on the forge', link: '/guides/comments' },
      { text: 'Pages from outside', link: '/guides/pages' },
      { text: 'What a job may publish', link: '/guides/policy' },
    ],
  },
  {
    text: 'Check the docs',
    items: [
      { text: 'Check documentation', link: '/guides/check' },
      { text: 'Pages that a change concerns', link: '/guides/affected' },
      { text: 'What Docent knows of your site', link: '/guides/kinds' },
    ],
  },
  {
    text: 'Count the readers',
    items: [
      { text: 'Page views', link: '/guides/page-views' },
      { text: 'Recipes for generators', link: '/guides/recipes' },
      { text: 'Visitors', link: '/guides/visitors' },
      { text: 'Privacy', link: '/privacy' },
      { text: 'How unique visitors are counted', link: '/uniques' },
      { text: 'User agents', link: '/user-agents' },
    ],
  },
  {
    text: 'People and programs',
    items: [
      { text: 'Keys', link: '/guides/keys' },
      { text: 'People', link: '/guides/people' },
      { text: 'Webhooks and mail', link: '/guides/webhooks' },
      { text: 'The client for JavaScript', link: '/guides/client' },
      { text: 'Coding agents (MCP)', link: '/guides/mcp' },
    ],
  },
  {
    text: 'Run it',
    items: [
      { text: 'Install from packages', link: '/guides/packages' },
      { text: 'Install on a server', link: '/guides/install-server' },
      { text: 'Containers', link: '/guides/containers' },
      { text: 'PostgreSQL', link: '/guides/postgresql' },
      { text: 'Operations and settings', link: '/operations' },
      { text: 'Performance', link: '/performance' },
      { text: 'Versions', link: '/versions' },
    ],
  },
  {
    text: 'Understand it',
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Cases', link: '/cases' },
      { text: 'Decisions', link: '/decisions/' },
    ],
  },
]
