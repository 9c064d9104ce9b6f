// The commands that messages about GitHub Apps end with. Each names the GitHub server unless it is github.com. Pure.

export type AppOwner = { readonly webUrl: string; readonly organization?: string | null | undefined }

export function createAppCommand({ webUrl, organization }: AppOwner): string {
  const owner = organization ? ` --organization ${organization}` : ''
  return `docent github create-app${urlOption(webUrl)}${owner}`
}

export function setAppCommand(webUrl: string, appId: number): string {
  return `docent github set-app --app-id ${appId}${urlOption(webUrl)} --private-key-file FILE`
}

function urlOption(webUrl: string): string {
  return webUrl === 'https://github.com' ? '' : ` --url ${webUrl}`
}
