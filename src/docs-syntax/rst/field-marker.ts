// How a field and an option of a directive begin: `:name: value`.

export const fieldMarker = /^:(?![: ])((?:[^:\\]|\\.|:(?![ `]|$))*)(?<! ):(?:[ \t]+|$)/
