// Generated users: mostly plain, a few with attributes of another type, in another format or missing.

/** What is unusual about a user, by the notes of an import that are about it. */
export type Oddity =
  | 'numeric-text'
  | 'odd-number'
  | 'number-in-text'
  | 'partial-version'
  | 'odd-date'
  | 'no-time'
  | 'no-id'
  | 'list'

export interface SomeUser {
  key: string
  attributes: Record<string, unknown>
  company: { key: string; plan: string; seats: number } | undefined
  odd: ReadonlySet<Oddity>
}

interface Choices {
  /** Oddities that the product's contexts can have. */
  odd: readonly Oddity[]
}

const plans = ['free', 'pro', 'Pro', 'team', 'enterprise']
const countries = ['DE', 'FR', 'US', 'JP', 'BR']
const domains = ['acme.com', 'example.org', 'Example.org', 'mail.test']

/** The same users for the same seed. */
export function createUsers(count: number, { odd }: Choices): SomeUser[] {
  const next = createRandom(20_261_129)
  return Array.from({ length: count }, (_, index) => createUser(index, next, odd))
}

function createUser(index: number, next: () => number, possible: readonly Oddity[]): SomeUser {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(next() * items.length)]
  const whole = (below: number) => Math.floor(next() * below)
  const release = `${whole(4)}.${whole(12)}.${whole(5)}`
  const attributes: Record<string, unknown> = {
    plan: pick(plans),
    country: pick(countries),
    email: `user${index}@${pick(domains)}`,
    age: whole(80),
    logins: whole(3),
    score: Math.round(next() * 1000) / 10 + 0.05,
    version: next() < 0.2 ? `${release}-${pick(['alpha.1', 'beta', 'rc.2', '1'])}` : release,
    createdAt: new Date(1_700_000_000_000 + whole(60_000_000) * 1000).toISOString(),
    beta: next() < 0.3,
    address: { city: pick(['Berlin', 'Paris', 'Lyon']), zip: String(10_000 + whole(5)) },
    tags: ['red', 'green', 'blue', 'new'].filter(() => next() < 0.4),
  }
  for (const name of [
    'plan',
    'country',
    'email',
    'age',
    'logins',
    'version',
    'createdAt',
    'beta',
    'tags',
    'address',
  ]) {
    if (next() < 0.06) delete attributes[name]
  }
  const company =
    next() < 0.5 ? { key: `c${whole(200)}`, plan: pick(plans) ?? 'free', seats: whole(100) } : undefined
  const odd = new Set<Oddity>()
  const oddity = next() < 0.1 ? pick(possible) : undefined
  if (oddity !== undefined) {
    odd.add(oddity)
    apply(oddity, attributes)
  }
  return { key: `user-${index}`, attributes, company, odd }
}

function apply(oddity: Oddity, attributes: Record<string, unknown>): void {
  switch (oddity) {
    case 'numeric-text':
      attributes.age = String(attributes.age ?? 20)
      attributes.logins = '1'
      break
    case 'odd-number':
      attributes.age = ' 30 '
      attributes.logins = ''
      break
    case 'number-in-text':
      attributes.country = 49
      attributes.email = 12
      break
    case 'partial-version':
      attributes.version = '2.1'
      break
    case 'odd-date':
      attributes.createdAt = '2024-06-01'
      break
    case 'list':
      attributes.country = ['DE', 'US']
      attributes.plan = ['pro', 'team']
      attributes.age = [20, 60]
      attributes.beta = [true]
      attributes.version = ['1.2.3', '3.0.0']
      attributes.email = ['a@acme.com', 'b@example.org']
      break
    case 'no-time':
    case 'no-id':
      break
  }
}

/** A linear congruential generator (Numerical Recipes), scrambled by its upper bits. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
