import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { seenVariationsQuery } from '../../api/pages.ts'
import type { Question } from '../../api/question.ts'
import { telltalesQuery } from '../../api/telltales.ts'
import { type OrderedFlags, orderByDifference } from './stand-out.ts'
import { worstOf } from './use-telltale.ts'

/**
 * The flags of the question's sessions, the ones that stand out most first. What stood out first stays chosen while the
 * numbers are updated.
 */
export function useStandOut(question: Question, isEnabled = true) {
  const { project, env } = question
  const seen = useQuery({ ...seenVariationsQuery(question), enabled: isEnabled })
  const telltales = useQuery({ ...telltalesQuery({ project, env }), enabled: isEnabled })
  // Placeholders are those of another question.
  const isLoading = seen.data === undefined || seen.isPlaceholderData || telltales.isPending
  const ordered: OrderedFlags | undefined = isLoading
    ? undefined
    : orderByDifference(seen.data, telltales.data ?? [])
  const place = `${project} ${env} ${question.range} ${question.filter}`
  const [kept, setKept] = useState<{ place: string; flag: string }>()
  const found = ordered?.standsOut
  if (found !== undefined && kept?.place !== place) setKept({ place, flag: found })
  const standsOut = kept?.place === place ? kept.flag : found
  return { query: seen, isLoading, flags: ordered?.flags, standsOut, worst: worstOfFlag }

  function worstOfFlag(flag: string | undefined) {
    return flag === undefined ? undefined : worstOf(telltales.data, flag)
  }
}
