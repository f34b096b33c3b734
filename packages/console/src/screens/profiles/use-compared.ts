import { useQuery } from '@tanstack/react-query'
import { emptyFilter } from '@telltale/core/query/filter'
import { targetedFlagQuery } from '../../api/flag-configs.ts'
import type { Question } from '../../api/question.ts'
import { useStandOut } from '../../features/telltale/use-stand-out.ts'
import { useScope } from '../../shell/scope-context.ts'
import { filterOfPage } from '../../ui/text/page-chip.ts'
import { useProfilesSearch } from './use-profiles-search.ts'

export interface Compared {
  readonly flag: string
  /** Variation keys; empty while there are none. */
  readonly control: string
  readonly treatment: string
  readonly flags: readonly string[]
  readonly variations: readonly { key: string }[]
}

/**
 * The compared variations: from the URL, else of the flag that stands out most: those of its verdict, or its first two.
 */
export function useCompared(question: Question, page: string) {
  const { project } = useScope()
  const { search } = useProfilesSearch()
  const seen = useStandOut({ ...question, filter: filterOfPage(emptyFilter, page) })
  const flag = search.flag ?? seen.standsOut
  const worst = seen.worst(flag)
  const found = useQuery({ ...targetedFlagQuery({ project, flag: flag ?? '' }), enabled: flag !== undefined })
  const known = (found.data?.variations ?? []).map(({ key }) => ({ key }))
  const named = [search.control, search.treatment].filter((key) => key !== undefined)
  const variations = [
    ...known,
    ...named.filter((key) => !known.some((one) => one.key === key)).map((key) => ({ key })),
  ]
  // Only together, and only without another choice.
  const verdict =
    named.length === 0 &&
    [worst?.control, worst?.treatment].every((key) => known.some((one) => one.key === key))
      ? worst
      : undefined
  const control =
    search.control ?? verdict?.control ?? variations.find(({ key }) => key !== search.treatment)?.key ?? ''
  const treatment =
    search.treatment ?? verdict?.treatment ?? variations.find(({ key }) => key !== control)?.key ?? ''
  const flags = [...new Set([...(flag === undefined ? [] : [flag]), ...(seen.flags ?? [])])]
  return {
    /** Undefined while the flags of the page load. */
    compared: flag === undefined ? undefined : { flag, control, treatment, flags, variations },
    isNone: flag === undefined && seen.flags !== undefined,
    flags: seen.query,
    /** For an archived or deleted flag, the URL may still be enough. */
    isReady: control !== '' && treatment !== '' && control !== treatment,
    flagQuery: found,
  }
}
