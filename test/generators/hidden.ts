// Attacks that CommonMark shows as code, in forms that other readers of Markdown read differently. Where the policy takes
// the form for code, so must the generator.

const attacks = ['<img src="none" onerror="alert(1)" />', '<script>x()</script>']

const marks = ['```', '~~~']

const fences = marks.flatMap((fence) => [
  ...['', 'html', 'html title="a.html"', '{ .html #a }', 'html {1,3}', '{code} html', 'html,ignore'].map((info) => {
    return `# A\n\n${fence}${info}\n@\n${fence}\n\nEnd.\n`
  }),
  ...[' ', '   ', '    ', '\t'].flatMap((indent) => [
    `1. a\n\n${indent}${fence}html\n${indent}@\n${indent}${fence}\n\n2. b\n`,
    `- a\n${indent}${fence}html\n${indent}@\n${indent}${fence}\n- b\n`,
    `- a\n\n${indent}${fence}html\n${indent}a\n\n${indent}@\n${indent}${fence}\n`,
    `${fence}html\n@\n${indent}${fence}\n`,
  ]),
  `> ${fence}\n> @\n> ${fence}\n`,
  `> ${fence}\n> a\n>\n> @\n> ${fence}\n`,
  `- ${fence}\n  @\n  ${fence}\n`,
  `${fence}\n@\n${fence}${fence.charAt(0)}\n`,
  `[^1]: a\n\n    ${fence}\n    @\n    ${fence}\n\n[^1]\n`,
  `<div>\n\n${fence}\n@\n${fence}\n\n</div>\n`,
  `<details>\n<summary>a</summary>\n\n${fence}\n@\n${fence}\n\n</details>\n`,
  `!!! note\n\n    ${fence}\n    @\n    ${fence}\n`,
])

const spans = ['`', '``'].flatMap((mark) => [
  `a ${mark}@${mark} b\n`,
  `a ${mark} @ ${mark} b\n`,
  `# ${mark}@${mark}\n`,
  `| a | b |\n| - | - |\n| ${mark}@${mark} | b |\n`,
  `*[${mark}]: x\n@${mark}\n`,
  ...[': ', '!!! note\n', '[a]: b\n', '2. ', '{: .a}\n'].map((next) => `a ${mark}x\n${next}@ ${mark}\n`),
])

const indented = ['    ', '     ', '\t', '  \t'].flatMap((indent) => [
  `a\n\n${indent}@\n\nb\n`,
  `# A\n${indent}@\n`,
  `- ${indent}@\n`,
  `> ${indent}@\n`,
  `Term\n\n${indent}@\n`,
])

export const hiddenAttacks: readonly string[] = [...fences, ...spans, ...indented].flatMap((form) => {
  return attacks.map((attack) => form.replace('@', attack))
})
