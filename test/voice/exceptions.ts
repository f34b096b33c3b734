/** A text that may hold a banned word, and why. `in`: only in files whose path begins so. */
export interface Exception {
  text: string
  in?: string
  why: string
}

const shop = 'the demo shop speaks to its customers, as a shop does'

export const exceptions: Exception[] = [
  { text: 'Everybody here uses it', in: 'demo/', why: shop },
  { text: 'half of everybody else', in: 'demo/', why: shop },
  { text: 'Do people at home buy one more thing?', in: 'demo/', why: shop },
  { text: 'People ask the shop on the phone', in: 'demo/', why: shop },
  { text: 'Somebody in the workshop is putting on an apron right now', in: 'demo/', why: shop },
  {
    text: 'a password that nobody has',
    in: 'packages/server/',
    why: 'a decoy that is hashed and never shown',
  },
  {
    text: 'the user "nobody"',
    in: 'packages/server/',
    why: 'the name of a system user',
  },
  {
    text: 'trouble',
    in: 'packages/server/',
    why: 'the name of a column, in a statement',
  },
]
