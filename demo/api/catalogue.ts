// The products of Pedal & Post.

export interface Product {
  /** Used by the API. */
  id: number
  /** Used in the product page's URL. */
  slug: string
  name: string
  category: Category
  price: number
  line: string
  kind: 'bike' | 'cargo' | 'part'
  colour: string
}

export const categories = {
  city: 'City',
  gravel: 'Gravel',
  cargo: 'Cargo',
  parts: 'Parts & kit',
} as const
export type Category = keyof typeof categories

type Row = readonly [
  id: number,
  name: string,
  category: Category,
  price: number,
  colour: string,
  line: string,
]

const rows: readonly Row[] = [
  [204, 'Courier 8', 'city', 1290, '#1f6f5c', 'Eight gears, hub dynamo, mudguards that work.'],
  [207, 'Courier Belt', 'city', 1690, '#d9572b', 'The same frame with a belt. Nothing to oil.'],
  [211, 'Baker Step-through', 'city', 1150, '#c99a2e', 'A low frame and a basket for the whole order.'],
  [302, 'Gravelling 2', 'gravel', 2190, '#31527a', 'Steel, 45 mm tyres, mounts for everything.'],
  [305, 'Gravelling Ti', 'gravel', 4350, '#7a7f87', 'Titanium. The last frame one buys.'],
  [309, 'Postroute', 'gravel', 1780, '#8a3f5c', 'Flat bar, long days, light bags.'],
  [401, 'Pakket Long', 'cargo', 4990, '#2d4b3e', 'Two children or one hundred kilos.'],
  [404, 'Pakket Mid', 'cargo', 3890, '#b8472a', 'Turns where the long one has to push.'],
  [501, 'Roll-up pannier', 'parts', 89, '#46618c', 'Waxed canvas, 22 litres, one hand to close.'],
  [504, 'Post helmet', 'parts', 119, '#d9572b', 'Light where it meets the eye.'],
  [507, 'Bell, brass', 'parts', 24, '#c99a2e', 'Heard twice: now and by the neighbours.'],
  [510, 'Tyre 45 mm', 'parts', 54, '#3b3b3b', 'Rolls fast, and goes home with glass in it.'],
]

const kindOf = (category: Category) =>
  category === 'parts' ? 'part' : category === 'cargo' ? 'cargo' : 'bike'

export const products: readonly Product[] = rows.map(([id, name, category, price, colour, line]) => ({
  id,
  name,
  category,
  price,
  colour,
  line,
  slug: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
  kind: kindOf(category),
}))

/** The product without photos. */
export const withoutPictures = 504
/** The product of which one photo is listed that no longer exists. */
export const withDeletedPicture = 510

export const findProduct = (id: number) => products.find((product) => product.id === id)
