// The origin of a function, which colours a flame graph.

import type { ProfiledFrame } from '../../api/profiles.ts'

export const origins = ['app', 'fw', '3p', 'native', 'gc'] as const
export type Origin = (typeof origins)[number]

export const originNames: Record<Origin, string> = {
  app: 'App code',
  fw: 'Framework',
  '3p': 'Third party',
  native: 'Browser',
  gc: 'Garbage collection',
}

const garbage = /garbage collect|^\(?gc\)?$/i
const frameworks =
  /(?:^|[/@.~-])(?:react(?:-dom|-server-dom)?|react-router(?:-dom)?|scheduler|preact|next|vue|@vue|vue-router|vuex|pinia|nuxt|@angular|zone\.js|svelte|@sveltejs|solid-js|lit|lit-html|ember|@ember|jquery|@remix-run|@tanstack|redux|react-redux|@reduxjs|mobx|rxjs|alpinejs|@hotwired|stimulus|turbo|htmx|backbone|astro)(?:[/@.~-]|$)/i
const packages = /(?:^|\/)node_modules\/|(?:^|[/.-])vendors?[./~-]|^[a-z-]+-extension:/i

/** `host`: the host of the application's scripts. */
export function originOf(
  { function: name, file, original }: ProfiledFrame,
  host: string | undefined,
): Origin {
  if (file === '') return garbage.test(name) ? 'gc' : 'native'
  const path = original?.file ?? file
  const isPackage = packages.test(path)
  const own = isPackage ? path.slice(path.lastIndexOf('node_modules/')) : (path.split('/').at(-1) ?? '')
  if ((isPackage || original === null) && frameworks.test(own)) return 'fw'
  if (isPackage) return '3p'
  if (original !== null) return 'app'
  const found = hostOf(file)
  return host !== undefined && found !== undefined && found !== host ? '3p' : 'app'
}

/** The host of most functions. */
export function hostOfApp(frames: readonly ProfiledFrame[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { file } of frames) {
    const host = hostOf(file)
    if (host !== undefined) counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

const hostOf = (file: string) => URL.parse(file)?.host
