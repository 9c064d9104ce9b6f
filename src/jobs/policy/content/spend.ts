// Limits the work for one text. Parts of a text that overlap are read more than once, which a hostile text can repeat
// without an end. Documentation does not come near the limit.

/** Counts characters that are read in addition to the text itself. Throws `TextTooCostly`. */
export type Spend = (characters: number) => void

export class TextTooCostly extends Error {}

const timesTheText = 10
const always = 200_000

export function createSpend(text: string, least = always): Spend {
  let left = least + timesTheText * text.length
  return (characters) => {
    left -= characters
    if (left < 0) throw new TextTooCostly('The text has too many addresses and attributes.')
  }
}
