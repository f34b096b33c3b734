// All statements about the splits of an environment are built here: environment, splits, stages and arms are
// added in one place, and values are sent as parameters.
import type { ArmName } from '@telltale/core/statistics/sums'
import type { Bind } from '../../monitoring/explore/conditions.ts'
import { isLatestVital, mayBeVitals } from '../../monitoring/explore/latest-vitals.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

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
  /** The start of the epoch. */
  startedAt?: Date
}

/** A split and how to interpret the rows about it. */
export interface ReadSplit extends ComparedArms {
  /** The index of an epoch in the list; undefined for an epoch that is not compared. */
  stageOf(epoch: number): number | undefined
  armOf(name: string): ArmName | undefined
}

/** Units with a disproportionate denominator, by the stages and arms in which they were found. */
export interface LeftOut {
  measure: string
  units: readonly { unit: string; epoch: number; arm: string }[]
}

/** Splits of one environment whose arms have the same names, so that one statement can read them all. */
export interface SplitsQuestion {
  /** Units whose rows of a measure are not read. */
  leftOut?: readonly LeftOut[]
  splits: readonly ReadSplit[]
  bind: Bind
  /** A roll-up and the conditions on it, for FROM; a row of `exposures` contains all arms. */
  rowsOf(table: 'unit_measures' | 'unit_buckets' | 'exposures', ...conditions: string[]): string
  /** A condition on rows of any of the splits, by their stages and arms. */
  ofArms: string
  /** The same for rows that are already limited to these splits. */
  ofStagesAndArms: string
  /** Conditions on any row: environment, splits and their stages. */
  ofEnvironment: string
  ofSplits: string
  isOfStages: string
  /** Milliseconds since 1970 before which none of the splits has data; undefined if unknown. */
  since: number | undefined
  /** Events of units in any of the splits, for FROM. */
  eventsOf(...conditions: string[]): string
  /** Placeholders of the values in the statement. */
  arm: Record<ArmName, string>
  read<Row>(text: string): Promise<Row[]>
}

export interface SplitQuestion extends Omit<SplitsQuestion, 'splits'>, ReadSplit {}

export function questionOfSplits(
  telemetry: Pick<Telemetry, 'read'>,
  splits: readonly [ComparedArms, ...ComparedArms[]],
): SplitsQuestion {
  const { bind, values } = collectValues()
  const [{ environmentId, treatment, control }] = splits
  const environment = bind(environmentId, 'UUID')
  const arm = { treatment: bind(treatment, 'String'), control: bind(control, 'String') }
  const ofEnvironment = `environment_id = ${environment}`
  const each = splits.map(({ split }) => bind(split, 'UInt64'))
  const stages = splits.flatMap(({ split, epochs }) =>
    epochs.map(({ epoch }) => `(${bind(split, 'UInt64')}, ${bind(epoch, 'UInt32')})`),
  )
  const isOfStages = `(split, epoch) IN (${stages.join(', ')})`
  const ofSplits = `split IN (${each.join(', ')})`
  const ofStages = `${ofSplits} AND ${isOfStages}`
  const since = startOf(splits)
  const sinceStart = since === undefined ? [] : [`ts >= fromUnixTimestamp64Milli(${bind(since, 'Int64')})`]
  const isArm = `arm IN (${arm.treatment}, ${arm.control})`

  return {
    splits: splits.map(readSplit),
    bind,
    arm,
    rowsOf: (table, ...conditions) => {
      const ofArms = table === 'exposures' ? [] : [isArm]
      return `${table} WHERE ${[ofEnvironment, ofStages, ...ofArms, ...conditions].join(' AND ')}`
    },
    ofArms: `${ofStages} AND ${isArm}`,
    ofStagesAndArms: `${isOfStages} AND ${isArm}`,
    ofEnvironment,
    ofSplits,
    isOfStages,
    since,
    eventsOf: (...conditions) =>
      `events WHERE ${[
        ...[ofEnvironment, 'bot = 0', `hasAny(arms.split, [${each.join(', ')}])`, ...conditions],
        ...(mayBeVitals(conditions) ? [isLatestVital(ofEnvironment, ...sinceStart)] : []),
      ].join(' AND ')}`,
    read: (text) => telemetry.read(text, { values }),
  }
}

export function questionOfSplit(telemetry: Pick<Telemetry, 'read'>, arms: ComparedArms): SplitQuestion {
  return { ...questionOfSplits(telemetry, [arms]), ...readSplit(arms) }
}

/** Browser clocks are corrected but may still be slightly wrong. */
const clockSlack = 3_600_000

function startOf(splits: readonly ComparedArms[]): number | undefined {
  const starts = splits.flatMap(({ epochs }) => epochs.map(({ startedAt }) => startedAt?.getTime()))
  const known = starts.filter((start) => start !== undefined)
  return known.length < starts.length ? undefined : Math.min(...known) - clockSlack
}

function readSplit(arms: ComparedArms): ReadSplit {
  const epochs = arms.epochs.map(({ epoch }) => epoch)
  return {
    ...arms,
    stageOf: (epoch) => {
      const stage = epochs.indexOf(epoch)
      return stage < 0 ? undefined : stage
    },
    armOf: (name) => {
      if (name === arms.treatment) return 'treatment'
      return name === arms.control ? 'control' : undefined
    },
  }
}

/** Each value is sent once, because all of them are part of the URL. */
function collectValues(): { bind: Bind; values: Record<string, unknown> } {
  const values: Record<string, unknown> = {}
  const places = new Map<string, string>()
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
  return { bind, values }
}
