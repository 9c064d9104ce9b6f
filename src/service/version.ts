// The release of this service, as the API, backups and traces name it. In a file of its own, so that `docent --version`
// loads nothing else.

export const version = '0.1.0'
