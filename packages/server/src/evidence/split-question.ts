// Every question about one split of one environment is asked through here: environment, split, stages and arms are written
// into each statement in this one place, and values travel as parameters.
import type { ArmName } from '@telltale/core/statistics/sums'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import type { Bind } from '../explore/conditions.ts'

/** Two arms of a split over the stages of a rollout, or over one epoch. */
export interface ComparedArms {
  environmentId: string
  /** 64 bits as text. */
  split: string
  /** Oldest first; at least one. */
  epochs: readonly ComparedEpoch[]
  treatment: string
  control: string
}

export interface ComparedEpoch {
  epoch: number
  /** The designed share of the treatment among both arms. */
  share: number
}

export interface SplitQuestion extends ComparedArms {
  bind: Bind
  /** A roll-up and the conditions on it, for FROM; `exposures` knows all arms in a row. */
  rowsOf(table: 'unit_measures' | 'unit_buckets' | 'exposures', ...conditions: string[]): string
  /** Events of people under this split, for FROM. */
  eventsOf(...conditions: string[]): string
  /** Places of values in the text. */
  arm: Record<ArmName, string>
  /** The place of an epoch in the list; nothing for one that is not compared. */
  stageOf(epoch: number): number | undefined
  armOf(name: string): ArmName | undefined
  read<Row>(text: string): Promise<Row[]>
}

export function askAboutSplit(telemetry: Pick<Telemetry, 'read'>, arms: ComparedArms): SplitQuestion {
  const values: Record<string, unknown> = {}
  const places = new Map<string, string>()
  // The same value travels once: all of them stand in an address.
  const bind: Bind = (value, type) => {
    const same = `${type} ${JSON.stringify(value)}`
    const known = places.get(same)
    if (known !== undefined) return known
    const name = `p${places.size}`
    const place = `{${name}:${type}}`
    values[name] = value
    places.set(same, place)
    return place
  }
  const epochs = arms.epochs.map(({ epoch }) => epoch)
  const environment = bind(arms.environmentId, 'UUID')
  const split = bind(arms.split, 'UInt64')
  const [first, last] = [bind(Math.min(...epochs), 'UInt32'), bind(Math.max(...epochs), 'UInt32')]
  const arm = { treatment: bind(arms.treatment, 'String'), control: bind(arms.control, 'String') }
  const ofEnvironment = `environment_id = ${environment}`
  const where = `${ofEnvironment} AND split = ${split} AND epoch BETWEEN ${first} AND ${last}`

  return {
    ...arms,
    bind,
    arm,
    rowsOf: (table, ...conditions) => {
      const ofArms = table === 'exposures' ? [] : [`arm IN (${arm.treatment}, ${arm.control})`]
      return `${table} WHERE ${[where, ...ofArms, ...conditions].join(' AND ')}`
    },
    eventsOf: (...conditions) =>
      `events WHERE ${[ofEnvironment, 'bot = 0', `has(arms.split, ${split})`, ...conditions].join(' AND ')}`,
    stageOf: (epoch) => {
      const stage = epochs.indexOf(epoch)
      return stage < 0 ? undefined : stage
    },
    armOf: (name) => {
      if (name === arms.treatment) return 'treatment'
      return name === arms.control ? 'control' : undefined
    },
    read: (text) => telemetry.read(text, { values }),
  }
}
