// The version of this service in the API, backups and traces. It has its own file, so `docent --version` loads nothing
// else.

export const version = '0.1.0'
