/** Colour and shape belong to the index of a variation, never to its result. The first is always the grey square. */
const fills = ['fill-v0', 'fill-v1', 'fill-v2', 'fill-v3', 'fill-v4', 'fill-v5']
const backgrounds = ['bg-v0', 'bg-v1', 'bg-v2', 'bg-v3', 'bg-v4', 'bg-v5']
const shapes = [
  'M1 1h8v8H1z',
  'M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8z',
  'M5 .5 9.500 5 5 9.500 .5 5z',
  'M5 1 9.500 9h-9z',
  'M3 .5h4v9H3z',
  'M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM5 3.200a1.800 1.800 0 1 0 0 3.600a1.800 1.800 0 0 0 0-3.600z',
]

export function variationColor(order: number): string {
  return backgrounds[order % backgrounds.length] ?? ''
}

type VariationProps = {
  /** Its index in the flag's variations, from 0. */
  order: number
  /** Name or key. */
  label: string
  isKey?: boolean
}

export function Variation({ order, label, isKey = false }: VariationProps) {
  return (
    <span className="inline-flex min-w-0 items-center gap-6">
      <svg
        viewBox="0 0 10 10"
        fillRule="evenodd"
        className={`size-10 shrink-0 ${fills[order % fills.length]}`}
        aria-hidden="true"
      >
        <path d={shapes[order % shapes.length]} />
      </svg>
      <span className={`truncate ${isKey ? 'font-code text-12' : ''}`}>{label}</span>
    </span>
  )
}
