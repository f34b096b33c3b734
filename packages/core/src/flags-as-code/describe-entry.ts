// Entries of a document as lines of text, for the differences of a plan.

import { conditionsText } from '../changes/conditions-text.ts'
import type { ConfigPart } from '../changes/config-text.ts'
import { diffConfigs, diffParts } from '../changes/diff-configs.ts'
import { type DiffLine, foldSame } from '../changes/diff-lines.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import type { FlagContent, SegmentContent } from './content.ts'

/** Of one change, in lines. A longer one is cut. */
const longest = 200

export function diffAbout(before: FlagContent | undefined, after: FlagContent): DiffLine[] {
  return shortened(diffParts(before ? aboutParts(before) : [], aboutParts(after)))
}

export function diffConfig(before: FlagConfigDraft, after: FlagConfigDraft): DiffLine[] {
  return shortened(diffConfigs(before, after))
}

export function diffSegment(before: SegmentContent | undefined, after: SegmentContent): DiffLine[] {
  return shortened(diffParts(before ? segmentParts(before) : [], segmentParts(after)))
}

/** Of an entry whose members are shown as they are written. */
export function diffMembers(before: object | undefined, after: object): DiffLine[] {
  return shortened(diffParts(before ? memberParts(before) : [], memberParts(after)))
}

function shortened(lines: readonly DiffLine[]): DiffLine[] {
  const kept = foldSame(lines, 1).filter((line) => line !== undefined)
  if (kept.length <= longest) return kept
  return [...kept.slice(0, longest), { kind: 'same', text: `and ${kept.length - longest} more lines` }]
}

function aboutParts(flag: FlagContent): ConfigPart[] {
  const { name, description, valueType, variations, valueSchema, tags, owners, permanent, removeBy } = flag
  const { ownerTeams } = flag
  return [
    part('name', name),
    ...(description === '' ? [] : [part('description', description)]),
    part('type', valueType),
    ...variations.map((one) => ({
      id: `variation ${one.key}`,
      text: `variation ${one.key}${one.name === one.key ? '' : ` (${one.name})`}: ${JSON.stringify(one.value)}`,
    })),
    ...(valueSchema === null ? [] : [part('value schema', JSON.stringify(valueSchema, null, 2))]),
    ...(tags.length === 0 ? [] : [part('tags', tags.join(', '))]),
    ...(owners.length === 0 ? [] : [part('owners', owners.join(', '))]),
    ...(ownerTeams.length === 0 ? [] : [part('owning teams', ownerTeams.join(', '))]),
    ...(permanent ? [part('permanent', 'yes')] : []),
    ...(removeBy === null ? [] : [part('remove by', removeBy)]),
    ...(flag.clientVisible ? [part('available to browsers', 'yes')] : []),
  ]
}

function segmentParts({ name, description, when }: SegmentContent): ConfigPart[] {
  return [
    part('name', name),
    ...(description === '' ? [] : [part('description', description)]),
    { id: 'when', text: conditionsText(when) },
  ]
}

function memberParts(entry: object): ConfigPart[] {
  return Object.entries(entry).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return []
    if (Array.isArray(value) && value.some((one) => typeof one === 'object')) {
      return value.map((one, index) => ({
        id: `${name} ${index}`,
        text: `${name} ${index + 1}: ${textOf(one)}`,
      }))
    }
    return [part(name, textOf(value))]
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

const part = (name: string, text: string): ConfigPart => ({ id: name, text: `${name}: ${text}` })
