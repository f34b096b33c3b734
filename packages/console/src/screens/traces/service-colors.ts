/** The colours of the flame graph: a waterfall is read in the same way. */
const palette = ['bg-fl-app', 'bg-fl-fw', 'bg-fl-3p', 'bg-fl-native', 'bg-fl-gc'] as const

export type ServiceColors = ReadonlyMap<string, string>

/** The services with the most time get colours of their own; the names beside the bars distinguish the others. */
export function colorsOf(services: readonly string[]): ServiceColors {
  return new Map(services.map((service, index) => [service, palette[index % palette.length] ?? palette[0]]))
}
