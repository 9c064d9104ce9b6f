// Words that say nothing about a piece of code: those of English comments and messages, and those of the languages themselves.

const common: ReadonlySet<string> = new Set(
  (
    'a an and the for with that this not are from you can will all use has have had when was but its it is be of to in on at by ' +
    'as or if no do does did so up we he she they them their there then than these those which who how why what where while ' +
    'your our my also into onto only just more most other some any each every both same such very still now new old one two ' +
    'should would could may might must been being were let make made get got via per etc ' +
    'import export default const var return function func def class self true false null none nil undefined else elif ' +
    'async await public private static void string str int bool struct impl pub mut type interface extends end print ' +
    'add adds added fix fixes fixed update updates updated remove removes removed change changes changed merge pull request'
  ).split(' '),
)

export function isCommonWord(text: string): boolean {
  return common.has(text) || common.has(text.toLowerCase())
}
