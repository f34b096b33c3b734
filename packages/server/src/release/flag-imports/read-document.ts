// Checks a document against the schema of its product and converts it. Faults point into the request.

import { GrowthBookApiDocument, GrowthBookDocument } from '@telltale/core/contract/growthbook'
import { LaunchDarklyApiDocument, LaunchDarklySdkDocument } from '@telltale/core/contract/launchdarkly'
import { PostHogDocument } from '@telltale/core/contract/posthog'
import { UnleashDocument, UnleashExport } from '@telltale/core/contract/unleash'
import { type Fault, problem } from '@telltale/core/errors'
import { convertGrowthBook } from '@telltale/core/flag-imports/growthbook/convert'
import { readGrowthBookApi } from '@telltale/core/flag-imports/growthbook/read-api-document'
import type { Conversion, ImportedDefinitions } from '@telltale/core/flag-imports/imported'
import { convertLaunchDarkly } from '@telltale/core/flag-imports/launchdarkly/convert'
import { convertPostHog } from '@telltale/core/flag-imports/posthog/convert'
import { convertUnleash } from '@telltale/core/flag-imports/unleash/convert'
import { readUnleashExport } from '@telltale/core/flag-imports/unleash/read-export'
import type { ImportSource } from '@telltale/core/import-sources'
import { limits } from '@telltale/core/limits'
import { type Check, compileCheck } from '../../platform/http/validate.ts'

interface Given {
  document: unknown
  /** The environment in the document. */
  from: string | undefined
}

const checks = {
  launchDarklyApi: compileCheck(LaunchDarklyApiDocument),
  launchDarklySdk: compileCheck(LaunchDarklySdkDocument),
  unleash: compileCheck(UnleashDocument),
  unleashExport: compileCheck(UnleashExport),
  growthBook: compileCheck(GrowthBookDocument),
  growthBookApi: compileCheck(GrowthBookApiDocument),
  postHog: compileCheck(PostHogDocument),
}

/** Throws `invalid-request` with every fault. */
export function readDocument(source: ImportSource, given: Given): ImportedDefinitions {
  const read = readers[source](given)
  if (!('faults' in read)) return read
  throw problem('invalid-request', { errors: read.faults.slice(0, limits.faultsListed) })
}

const readers: Record<ImportSource, (given: Given) => Conversion> = {
  launchdarkly({ document, from }) {
    // The list of flags alone, as the API returns it.
    const whole = Array.isArray(membersOf(document).items) ? { flags: document } : document
    if (Array.isArray(membersOf(membersOf(whole).flags).items)) {
      return checked(checks.launchDarklyApi, whole, (sound) => convertLaunchDarkly(sound, from))
    }
    const { flags, flagValues } = membersOf(whole)
    if (flags === undefined && flagValues === undefined) {
      return { faults: [{ pointer: '/document/flags', message: 'is missing' }] }
    }
    return checked(checks.launchDarklySdk, whole, (sound) => convertLaunchDarkly(sound, from))
  },
  unleash({ document, from }) {
    if (!('featureStrategies' in membersOf(document))) {
      return checked(checks.unleash, document, (sound) => convertUnleash(sound))
    }
    return checked(checks.unleashExport, document, (sound) => {
      const read = readUnleashExport(sound, from)
      return 'faults' in read ? read : convertUnleash(read.document, read.from)
    })
  },
  growthbook({ document, from }) {
    if (!Array.isArray(membersOf(document).features)) {
      return checked(checks.growthBook, document, (sound) => convertGrowthBook(sound))
    }
    return checked(checks.growthBookApi, document, (sound) => {
      const read = readGrowthBookApi(sound, from)
      if ('faults' in read) return read
      return checked(checks.growthBook, read.document, (inner) => convertGrowthBook(inner, read.from))
    })
  },
  posthog({ document }) {
    const { results } = membersOf(document)
    const whole = Array.isArray(results) ? { flags: results } : document
    return checked(checks.postHog, whole, convertPostHog)
  },
}

function checked<Schema extends Parameters<typeof compileCheck>[0]>(
  check: Check<Schema>,
  document: unknown,
  convert: (sound: Extract<ReturnType<Check<Schema>>, { value: unknown }>['value']) => Conversion,
): Conversion {
  const result = check(document)
  if ('faults' in result) return { faults: result.faults.map(inDocument) }
  return convert(result.value)
}

function inDocument({ pointer, message }: Fault): Fault {
  return { pointer: `/document${pointer}`, message }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
