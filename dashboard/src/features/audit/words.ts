// Changes in words. Pure.

/** Operations whose names say too little. */
const phrases: Readonly<Record<string, string>> = {
  acceptInvitation: 'Accepted an invitation',
  addPullComment: 'Commented on a pull request',
  archiveJob: 'Archived a job',
  beginForgeApp: 'Began to create a GitHub App',
  cancelJob: 'Cancelled a job',
  changePassword: 'Changed their own password',
  changeRole: 'Changed a role',
  closePull: 'Closed a pull request',
  createInvitation: 'Invited a person',
  createJob: 'Started a job',
  createKey: 'Created an API key',
  createProject: 'Created a project',
  createShare: 'Created a shared link',
  createSignInLink: 'Made a sign-in link on the machine',
  createSite: 'Added a site',
  createSource: 'Added a source',
  createHistory: 'Imported daily sums of another tool',
  deleteCredential: 'Removed a credential',
  deleteForgeApp: 'Removed a GitHub App',
  deleteHistory: 'Undid an import from another tool',
  deleteModelKey: 'Removed the key of a model provider',
  deleteProject: 'Deleted a project',
  deleteSite: 'Deleted a site',
  deleteSource: 'Removed a source',
  deleteSourceCredential: 'Removed the credential of a source',
  eraseImported: 'Erased imported page views',
  eraseVisitor: 'Erased a visitor',
  endSession: 'Ended a session',
  invitePerson: 'Invited a person',
  mergePull: 'Merged a pull request',
  openImport: 'Imported an access log',
  putCredential: 'Set a credential',
  putModelKey: 'Set the key of a model provider',
  putSourceCredential: 'Set the credential of a source',
  rebuildVisitorWindow: 'Counted unique visitors again',
  reclassify: 'Labelled page views again',
  removePerson: 'Removed a person',
  revokeKey: 'Revoked an API key',
  revokeShare: 'Revoked a shared link',
  rotateKey: 'Rotated an API key',
  sendMessage: 'Sent a message to a job',
  setForgeApp: 'Set a GitHub App',
  setUp: 'Created the first account',
  signInByLink: 'Signed in by a link',
  updateProject: 'Changed the settings of a project',
  updatePull: 'Updated a pull request',
  updateSite: 'Changed a site',
  updateSource: 'Changed a source',
  withdrawInvitation: 'Withdrew an invitation',
}

/** `createKey` becomes `Created an API key`; an operation without a phrase, `openGate`, becomes `Open gate`. */
export function inWords(action: string): string {
  const known = phrases[action]
  if (known !== undefined) return known
  const words = action.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
