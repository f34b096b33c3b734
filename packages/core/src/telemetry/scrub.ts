// Takes out of text what names or charges a person: e-mail addresses, numbers of payment cards, and what stands behind
// the question mark of an address. Text that holds none of it comes back as it is.

const email = /[\w.+'-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
/** 13 to 19 digits of a card's range, in groups or not. */
const cardLike = /\b[3-6]\d(?:[ -]?\d){11,17}\b/g
const hasManyDigits = /\d(?:[ -]?\d){12}/
/** An address of the web anywhere in a text, up to its query. */
const query = /(\bhttps?:\/\/[^\s"'<>?#)]{1,300})[?#][^\s"'<>):]*/g

const hidden = { email: '[email]', card: '[card]' }

export function scrubText(text: string): string {
  const withoutQueries = text.includes('://') ? text.replace(query, '$1') : text
  const withoutEmails = mayHoldEmail(withoutQueries)
    ? withoutQueries.replace(email, hidden.email)
    : withoutQueries
  return hasManyDigits.test(withoutEmails)
    ? withoutEmails.replace(cardLike, (found) => (isCardNumber(found) ? hidden.card : found))
    : withoutEmails
}

const mayHoldEmail = (text: string) => text.includes('@') || text.includes('%40')

/** Luhn's sum: nine of ten other numbers do not have it. */
function isCardNumber(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse()
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}
