// Users grouped by the variations that they read, counted once for any outcome: how many read each variation and each
// pair, and how many of those were affected. A user who read two variations of a flag counts for neither.

import type { Share } from '../statistics/risk-ratio.ts'

/** Users who read exactly these variations. */
export interface ReadersOf {
  /** `flag=variation`. */
  read: readonly string[]
  people: number
}

/** Affected users by the index of the group; other groups have none. */
export type HitsByGroup = ReadonlyMap<number, number>

export const flagOf = (read: string) => read.slice(0, read.indexOf('='))

/** The one variation read of each flag; undefined if several were read. */
type ByFlag = ReadonlyMap<string, string | undefined>

interface Group extends ReadersOf {
  by: ByFlag
}

export type HitGroup = Group & { hits: number }

/** Users who read both variations, only one of them, or other variations of both flags. */
export interface Cells {
  both: Share
  first: Share
  second: Share
  none: Share
}

export interface Sides {
  inside: Share
  outside: Share
}

const none: Share = { hits: 0, total: 0 }

export class ReadVariations {
  readonly #groups: readonly Group[]
  readonly #people: Counts
  /** Variations with enough users on both sides, the most read flags first. */
  readonly names: readonly string[]
  /** The names that are compared in pairs. */
  readonly #paired: Pairs
  readonly #pairedPeople: Float64Array

  constructor(
    given: readonly ReadersOf[],
    { fewest, pairedAtMost }: { fewest: number; pairedAtMost: number },
  ) {
    this.#groups = given.map((group) => ({ ...group, by: byFlag(group.read) }))
    this.#people = countReads(this.#groups.map((group) => [group, group.people]))
    const { byRead, byFlag: byFlagOf } = this.#people
    const readersOf = (read: string) => byFlagOf.get(flagOf(read)) ?? 0
    this.names = [...byRead]
      .filter(([read, own]) => own >= fewest && readersOf(read) - own >= fewest)
      .map(([read]) => read)
      .sort((one, other) => readersOf(other) - readersOf(one) || (one < other ? -1 : 1))
    this.#paired = new Pairs(this.names.slice(0, pairedAtMost))
    this.#pairedPeople = this.#paired.count(this.#groups.map((group) => [group, group.people]))
  }

  get pairs(): readonly (readonly [string, string])[] {
    return this.#paired.all
  }

  /** The groups with their affected users, for comparisons that need each group. */
  groupsWith(hits: HitsByGroup): HitGroup[] {
    return this.#groups.map((group, place) => ({ ...group, hits: hits.get(place) ?? 0 }))
  }

  /** Users who read it, and users who read another variation of its flag. */
  dividerOf(hits: HitsByGroup): (name: string) => Sides {
    const happened = countReads(this.#hitGroups(hits))
    const { byRead, byFlag: byFlagOf } = this.#people
    return (name) => {
      const inside = { hits: happened.byRead.get(name) ?? 0, total: byRead.get(name) ?? 0 }
      const flag = flagOf(name)
      return {
        inside,
        outside: {
          hits: (happened.byFlag.get(flag) ?? 0) - inside.hits,
          total: (byFlagOf.get(flag) ?? 0) - inside.total,
        },
      }
    }
  }

  /** The counts for two of the names that are compared in pairs. */
  cellsOf(hits: HitsByGroup): (one: string, other: string) => Cells {
    return this.#paired.cells(this.#pairedPeople, this.#paired.count(this.#hitGroups(hits)))
  }

  #hitGroups(hits: HitsByGroup): [Group, number][] {
    return [...hits].flatMap(([place, hit]): [Group, number][] => {
      const group = this.#groups[place]
      return group === undefined || hit === 0 ? [] : [[group, hit]]
    })
  }
}

/**
 * Users who read all of these, and users who read other variations of their flags, both without users who read one
 * of the partners.
 */
export function divideApart(
  groups: readonly HitGroup[],
  reads: readonly string[],
  partners: readonly string[] = [],
): Sides {
  const [inside, outside] = [{ ...none }, { ...none }]
  for (const { by, people, hits } of groups) {
    const own = reads.map((read) => by.get(flagOf(read)))
    if (own.includes(undefined)) continue
    const isIn = own.every((read, place) => read === reads[place])
    if (isIn && partners.some((other) => by.get(flagOf(other)) === other)) continue
    const side = isIn ? inside : outside
    side.hits += hits
    side.total += people
  }
  return { inside, outside }
}

function byFlag(reads: readonly string[]): ByFlag {
  const found = new Map<string, string | undefined>()
  for (const read of reads) {
    const flag = flagOf(read)
    found.set(flag, found.has(flag) && found.get(flag) !== read ? undefined : read)
  }
  return found
}

interface Counts {
  byRead: ReadonlyMap<string, number>
  byFlag: ReadonlyMap<string, number>
}

function countReads(groups: readonly (readonly [Group, number])[]): Counts {
  const counts = { byRead: new Map<string, number>(), byFlag: new Map<string, number>() }
  const add = (to: Map<string, number>, name: string, count: number) =>
    to.set(name, (to.get(name) ?? 0) + count)
  for (const [{ by }, count] of groups) {
    for (const [flag, read] of by) {
      if (read === undefined) continue
      add(counts.byRead, read, count)
      add(counts.byFlag, flag, count)
    }
  }
  return counts
}

interface Side {
  own: readonly number[]
  others: readonly number[]
}

const noPlaces: Side = { own: [], others: [] }

/**
 * A table of names by names. With many flags, nearly every user is a separate group and there are thousands of
 * pairs: each group is counted once, into all of its cells.
 */
class Pairs {
  readonly all: readonly (readonly [string, string])[]
  readonly #flags: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  /** Besides the names, one column per flag for its variations that are not among the names. */
  readonly #width: number
  readonly #sides: ReadonlyMap<string, Side>

  constructor(names: readonly string[]) {
    this.all = names.flatMap((one, index) =>
      names
        .slice(index + 1)
        .flatMap((other) => (flagOf(one) === flagOf(other) ? [] : [[one, other] as const])),
    )
    this.#flags = [...new Set(names.map(flagOf))]
    this.#places = new Map(names.map((name, index) => [name, index]))
    this.#width = names.length + this.#flags.length
    const ofFlag = new Map(
      this.#flags.map((flag, index) => [
        flag,
        [...names.flatMap((name, place) => (flagOf(name) === flag ? [place] : [])), names.length + index],
      ]),
    )
    this.#sides = new Map(
      names.map((name, place) => [
        name,
        { own: [place], others: (ofFlag.get(flagOf(name)) ?? []).filter((each) => each !== place) },
      ]),
    )
  }

  count(groups: readonly (readonly [Group, number])[]): Float64Array {
    const width = this.#width
    const table = new Float64Array(width * width)
    for (const [{ by }, count] of groups) {
      const read = this.#flags.flatMap((flag, index) => {
        const variation = by.get(flag)
        return variation === undefined ? [] : [this.#places.get(variation) ?? this.#places.size + index]
      })
      for (const one of read) {
        for (const other of read) {
          const place = one * width + other
          table[place] = (table[place] ?? 0) + count
        }
      }
    }
    return table
  }

  cells(people: Float64Array, hits: Float64Array): (one: string, other: string) => Cells {
    const sumOf = (ones: readonly number[], others: readonly number[]): Share => {
      const found = { ...none }
      for (const one of ones) {
        for (const other of others) {
          found.hits += hits[one * this.#width + other] ?? 0
          found.total += people[one * this.#width + other] ?? 0
        }
      }
      return found
    }
    return (one, other) => {
      const [first, second] = [this.#sides.get(one) ?? noPlaces, this.#sides.get(other) ?? noPlaces]
      return {
        both: sumOf(first.own, second.own),
        first: sumOf(first.own, second.others),
        second: sumOf(first.others, second.own),
        none: sumOf(first.others, second.others),
      }
    }
  }
}
