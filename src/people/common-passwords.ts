// The words that most long passwords are made of, in lower case, letters and digits only. A password of twelve characters
// that is one of them, or one of them repeated or counted up, is guessed in the first seconds.

const words = [
  'password', 'passwort', 'letmein', 'welcome', 'qwertyuiop', 'qwertyuiopasdfghjkl', 'asdfghjkl', 'zxcvbnm', 'iloveyou',
  'administrator', 'admin', 'changeme', 'docent', 'documentation', 'correcthorsebatterystaple', 'trustno1', 'football',
  'baseball', 'sunshine', 'princess', 'superman', 'batman', 'dragon', 'monkey', 'master', 'shadow', 'michael', 'jordan',
  'starwars', 'computer', 'internet', 'secret', 'default', 'summer', 'winter', 'spring', 'autumn', 'hello', 'login',
  'access', 'qwerty', 'qwertz', 'azerty', 'abc', 'abcdefghijkl', 'abcdefghijklmnopqrstuvwxyz', '1q2w3e4r', '1qaz2wsx',
  '1q2w3e4r5t6y', '1qaz2wsx3edc', 'q1w2e3r4t5y6', 'zaq12wsx', 'qazwsxedc',
] // oxfmt-ignore

const endings = ['', '0', '1', '12', '123', '1234', '12345', '123456', '1234567', '12345678', '123456789', '1234567890']
const digits = [
  '123456789012',
  '1234567890123',
  '12345678901234',
  '123456789123',
  '012345678901',
  '098765432109',
  '123123123123',
]

/** Every one has at least ten characters: shorter ones are refused anyway. */
export const common: ReadonlySet<string> = new Set([
  ...digits,
  ...words.flatMap((word) => [
    ...endings.map((ending) => word + ending),
    ...years().map((year) => word + year),
    word + word,
    word + word + word,
  ]),
])

function years(): readonly string[] {
  return Array.from({ length: 61 }, (_, n) => String(1980 + n))
}
