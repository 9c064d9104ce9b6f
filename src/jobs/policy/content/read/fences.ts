// Which code blocks are not only shown: generators run some, and render others.

/** The first words of a fence, after its marks. */
const rendered =
  /^(?:mermaid\b|\{=|\{(?!\.|code\}|code-block\}|sourcecode\}|literalinclude\}|prompt\}|doctest\}|parsed-literal\})\s*[\w:-]+)/i
const run =
  /^(?:\{(?:code-cell|exec|execute|jupyter-execute|python|r|julia|bash|sh|js|ojs|observable|node|ruby|perl|sql|stan|rcpp|dot|mermaid|thebe-button|plot|ipython)\b)|\bexec\s*=\s*["']?(?!["']?(?:0|false|off|no)\b)|\s(?:live|playground|liveeditor|runnable)(?=\s|$|=)/i

/** `runs`: the generator executes it. `renders`: its content reaches the page. `shows`: readers see it as code. */
export function useOfFence(info: string): 'shows' | 'renders' | 'runs' {
  const words = info.trim()
  if (run.test(words) && !/^\{mermaid\b/i.test(words)) return 'runs'
  return rendered.test(words) ? 'renders' : 'shows'
}
