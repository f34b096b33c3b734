// The users of the shop. A user keeps the same identity and device across visits.

import { createRandom, type Random } from './random.ts'

export interface Person {
  anonymousId: string
  /** Set for signed-in customers. */
  userKey: string | undefined
  /** Traits that the shop sends with its flag requests. */
  traits: { country: string; device: Device; plan?: 'club' | 'basic' }
  userAgent: string
  engine: Engine
  connection: string
  /** Factor between the median duration and the user's. */
  slowness: number
}

export type Device = 'desktop' | 'mobile' | 'tablet'
type Engine = 'chromium' | 'firefox' | 'safari'

interface Browser {
  device: Device
  engine: Engine
  slowness: number
  userAgent: string
}

const win = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const iphone = (version: string) => `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) ${safari}`
const android = (model: string) => `Mozilla/5.0 (Linux; Android 15; ${model}) ${webkit}`

const chromium = (device: Device, slowness: number, userAgent: string): Browser => ({
  device,
  slowness,
  userAgent,
  engine: 'chromium',
})
const apple = (device: Device, slowness: number, userAgent: string): Browser => ({
  device,
  slowness,
  userAgent,
  engine: 'safari',
})

const browsers: readonly (readonly [Browser, number])[] = [
  [chromium('desktop', 0.9, `${win} ${webkit} Chrome/142.0.0.0 Safari/537.36`), 19],
  [chromium('desktop', 0.8, `${mac} ${webkit} Chrome/142.0.0.0 Safari/537.36`), 8],
  [chromium('desktop', 0.95, `${win} ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`), 7],
  [
    {
      device: 'desktop',
      engine: 'firefox',
      slowness: 0.95,
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    },
    6,
  ],
  [
    {
      device: 'desktop',
      engine: 'firefox',
      slowness: 1,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    },
    2,
  ],
  [apple('desktop', 0.8, `${mac} ${safari} Version/18.6 Safari/605.1.15`), 8],
  [apple('mobile', 1.05, `${iphone('18_6')} Version/18.6 Mobile/15E148 Safari/604.1`), 21],
  [apple('mobile', 1.2, `${iphone('17_7')} Version/17.7 Mobile/15E148 Safari/604.1`), 5],
  [
    apple(
      'tablet',
      1,
      `Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${safari} Version/18.6 Mobile/15E148 Safari/604.1`,
    ),
    3,
  ],
  [chromium('mobile', 1.2, `${android('Pixel 8')} Chrome/142.0.0.0 Mobile Safari/537.36`), 8],
  [chromium('mobile', 1.55, `${android('SM-A546B')} Chrome/142.0.0.0 Mobile Safari/537.36`), 8],
  [
    chromium(
      'mobile',
      1.45,
      `${android('SM-G991B')} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    ),
    4,
  ],
  [chromium('mobile', 2.1, `${android('moto g34')} Chrome/140.0.0.0 Mobile Safari/537.36`), 3],
]

const countries: readonly (readonly [string, number])[] = [
  ['DE', 34],
  ['FR', 15],
  ['NL', 13],
  ['GB', 10],
  ['AT', 7],
  ['DK', 6],
  ['ES', 5],
  ['IT', 4],
  ['PL', 4],
  ['US', 2],
]

const customerShare = 0.38
const clubShare = 0.34

export function findPerson(seed: string, index: number): Person {
  const random: Random = createRandom(`${seed} person ${index}`)
  const { device, engine, userAgent, slowness } = random.weighted(browsers)
  const country = random.weighted(countries)
  const isCustomer = random.isLikely(customerShare)
  const plan = random.isLikely(clubShare) ? 'club' : 'basic'
  const mobile: readonly (readonly [string, number])[] = [
    ['4g', 80],
    ['3g', 15],
    ['', 5],
  ]
  return {
    anonymousId: random.uuid(),
    userKey: isCustomer ? `cus_${10_000 + index}` : undefined,
    traits: isCustomer ? { country, device, plan } : { country, device },
    userAgent,
    engine,
    connection: engine === 'chromium' ? (device === 'desktop' ? '4g' : random.weighted(mobile)) : '',
    slowness: slowness * random.around(1, 0.18) * (country === 'US' ? 1.3 : 1),
  }
}

/** The shop's evaluation context: the anonymous id is the targeting key of users who are not signed in. */
export function contextOf({ anonymousId, userKey, traits }: Person) {
  return { targetingKey: userKey ?? anonymousId, anonymousId, ...traits }
}
