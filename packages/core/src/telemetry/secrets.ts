// What no recording contains, whatever a rule allows: headers that carry credentials, members whose name says that they
// are secret, and what looks like a secret, a token, a card number or an e-mail address in text.

import { scrubText } from './scrub.ts'

const secretHeader =
  /auth|cookie|token|secret|passw|session|credential|signature|bearer|jwt|csrf|xsrf|(?:api|access|private|client|subscription|function|functions)-?_?key|^x-key$/i
/** Without separators, lower case. */
const secretMember =
  /passw|passphrase|passcode|^pass$|^pwd|pwd$|secret|token|(?:api|access|private|encryption|signing)key|authori[sz]ation|authentication|^auth$|bearer|cookie|^sid$|session(?:id|key)?$|credential|signature|csrf|xsrf|jwt|cvv|cvc|^csc$|^pin(?:code)?$|^otp|otp$|onetimecode|cardnumber|^pan$|^ssn$|^iban$/

const hidden = '[secret]'

const textShapes: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g, hidden],
  // A cookie or an authorisation, to the end of its line or string.
  [
    /\b((?:set-)?cookie|(?:proxy-)?authorization)(\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?)[^"'\\\r\n]{1,4000}/gi,
    `$1$2${hidden}`,
  ],
  [/\b(bearer|basic|digest)\s{1,4}[\w~+/.=-]{8,}/gi, `$1 ${hidden}`],
  // JSON Web Tokens, signed and encrypted.
  [/\beyJ[\w-]{6,}(?:\.[\w-]{0,4000}){2,4}/g, hidden],
  // Keys that say what they are.
  [
    /\b(?:(?:sk|rk|pk|whsec|ghp|gho|ghu|ghs|ghr|github_pat|glpat|npm|pypi|xox[abeoprs]|shpat|dop_v1|hf)[_-][\w-]{10,}|AKIA[A-Z\d]{12,}|ASIA[A-Z\d]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{10,}|SG\.[\w-]{10,}\.[\w-]{10,}|ser\.[\w-]{16,})/g,
    hidden,
  ],
]

/** `password=…`, `"apiKey": "…"`, `x-token: …`: the name, what is between, and the value. */
const namedValue =
  /(?<![\w.-])([\w.-]{1,80})(\\?["']?\s{0,8}[:=]\s{0,8})("(?:[^"\\]|\\.){0,4000}|\\"(?:[^"\\]|\\[^"]){0,4000}|'(?:[^'\\]|\\.){0,4000}|[^\s,;&"'<>{}()[\]\\]{1,4000})/g
/** Long, and neither a word nor a number. */
const random = /[A-Za-z\d_-]{40,}/g

/** Never recorded, at any setting. */
export const isSecretHeader = (name: string): boolean => secretHeader.test(name)

/** Whether the value of a member, a field or a parameter of this name is masked. `named`: further names, lower case. */
export function isSecretName(name: string, named: ReadonlySet<string> = nothing): boolean {
  return secretMember.test(name.replace(/[-_.\s]/g, '').toLowerCase()) || named.has(name.toLowerCase())
}

const nothing: ReadonlySet<string> = new Set()

/** The text without what looks like a secret or like personal data. */
export function scrubSecrets(text: string, named?: ReadonlySet<string>): string {
  let clean = text
  for (const [shape, instead] of textShapes) clean = clean.replace(shape, instead)
  clean = clean.replace(namedValue, (found, ...groups: unknown[]) => {
    const [name = '', between = '', value = ''] = groups.map(String)
    if (!isSecretName(name, named) || value.includes(hidden)) return found
    const [quote = ''] = /^\\?["']/.exec(value) ?? []
    return `${name}${between}${quote}${hidden}`
  })
  return scrubText(clean.replace(random, (found) => (isRandom(found) ? hidden : found)))
}

/** Hexadecimal, or letters of both cases with digits. */
function isRandom(text: string): boolean {
  if (!/\d/.test(text)) return false
  return /^[\da-f]+$/i.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text))
}
