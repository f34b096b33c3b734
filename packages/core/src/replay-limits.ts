// Limits of replays and profiles, part of `limits`.
import type { Limit } from './limit.ts'

const minute = 60_000
const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

export const replayLimits = {
  replaySegmentSize: {
    value: 4 * mebibyte,
    unit: 'bytes',
    reason: 'A segment of a replay as it travels: usually 60 KB, but the whole of a large page is one piece.',
  },
  replaySegmentInflated: {
    value: 40 * mebibyte,
    unit: 'bytes',
    reason: 'A segment of a replay unpacked: a page whose record is larger is not recorded.',
  },
  replaySessionSize: {
    value: 100 * mebibyte,
    unit: 'bytes',
    reason: 'Of one session, compressed: four hours of a page that changes all the time.',
    setting: 'TELLTALE_REPLAY_SESSION_SIZE',
  },
  replayRecords: { value: 1_000_000, unit: 'items', reason: 'Events of one segment.' },
  replayAssets: { value: 500, unit: 'items', reason: 'Style sheets and fonts that one segment names.' },
  replaySegmentsRead: {
    value: 200,
    unit: 'items',
    reason: 'Segments of one answer: a player asks for the next ones while it plays these.',
  },
  replayBytesRead: {
    value: 16 * mebibyte,
    unit: 'bytes',
    reason: 'Compressed, of one answer with segments: bounds the memory of both sides.',
  },
  replaySegmentsListed: {
    value: 20_000,
    unit: 'items',
    reason: 'Segments of one session: four hours in several tabs.',
  },
  replayMoments: { value: 50, unit: 'items', reason: 'Moments of one answer: a choice, not a table.' },
  replayNotes: { value: 500, unit: 'items', reason: 'Notes on one session.' },
  assetSize: { value: 2 * mebibyte, unit: 'bytes', reason: 'A style sheet or a font of a page, unpacked.' },
  privacyRules: {
    value: 50,
    unit: 'items',
    reason:
      'Privacy rules of an environment: sent to every recorded page, matched against every added element.',
  },
  requestRules: {
    value: 20,
    unit: 'items',
    reason: 'Request rules of an environment: sent to every recorded page, matched against its requests.',
  },
  requestRuleNames: {
    value: 50,
    unit: 'items',
    reason: 'Headers of a request rule, and as many fields: a list that one can still review.',
  },
  requestRulePath: {
    value: 200,
    unit: 'characters',
    reason: 'The path of a request rule, and each of its fields.',
  },
  selectorLength: { value: 200, unit: 'characters', reason: 'The CSS selector of a privacy rule.' },
  attachmentHeader: {
    value: 64 * kibibyte,
    unit: 'bytes',
    reason: 'Metadata of a segment or profile, with the exposed flags.',
  },
  profileWindow: { value: minute, unit: 'ms', reason: 'One profile covers no more of a view.' },
  profileInterval: { value: 10, unit: 'ms', reason: 'Between two samples, as browsers offer it.' },
  profileInflated: { value: 8 * mebibyte, unit: 'bytes', reason: 'The tables of one profile, unpacked.' },
  profileNumbers: {
    value: 400_000,
    unit: 'items',
    reason: 'Of one table of a profile: a hundred times what a minute of samples has.',
  },
  profileTexts: { value: 50_000, unit: 'items', reason: 'Names and addresses in one profile.' },
  profileDepth: {
    value: 200,
    unit: 'items',
    reason: 'Frames of a stack; of deeper ones, the outermost are left out.',
  },
  profileStacks: { value: 5_000, unit: 'items', reason: 'Of one profile; a minute has 6 000 samples.' },
  profileStacksSize: {
    value: 32 * mebibyte,
    unit: 'characters',
    reason:
      'All frames of all stacks of one profile, written out: stacks share their frames, so a body of 24 kB could become 2 GB.',
  },
  profileStacksRead: {
    value: 5_000,
    unit: 'items',
    reason: 'Stacks of a flame graph, by total time; the rest is one sum.',
  },
  profileFrames: { value: 5_000, unit: 'items', reason: 'Boxes of one flame graph.' },
  profileFramesCompared: {
    value: 200,
    unit: 'items',
    reason: 'Frames of a difference, those with the most time: each has an interval.',
  },
  profileMinimum: {
    value: 30,
    unit: 'items',
    reason: 'Profiles of a side of a difference: with fewer an interval says nothing.',
  },
} as const satisfies Record<string, Limit>
