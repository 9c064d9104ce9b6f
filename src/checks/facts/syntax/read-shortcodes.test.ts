import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/linear.ts'
import { readPage } from '../read-page.ts'

for (const piece of [
  '[a]({{< ref "b.md" >}})\n',
  '{{< ref "b.md" >}} ',
  '[a](b) {{< ref "c" >}} ',
  '# {{% a %}}\n',
  '<!-- {{< ref "a" >}}\n',
  '{{<',
])
  test(`a page with shortcodes is read in linear time: ${JSON.stringify(piece)}`, () => {
    const shape = (length: number) => piece.repeat(Math.ceil(length / piece.length))
    assertLinear(shape, (text) => readPage('shortcodes', text), { size: 240_000, name: piece, maxRatio: 2 })
  })
