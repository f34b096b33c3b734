import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { issueQuery } from '../../api/issues.ts'
import type { Question } from '../../api/question.ts'
import { FlagTelltale } from '../../features/telltale/flag-telltale.tsx'
import { useScope } from '../../shell/scope-context.ts'

/** The variation that an error is met in most, when chance does not explain it. No cause is claimed. */
export function LinkedFlag({ issue, question }: { issue: string; question: Question }) {
  const { project } = useScope()
  const { data: found, error } = useQuery(issueQuery(question, issue))
  if (error) return <span className="text-text-3">unknown</span>
  if (!found) return <span className="text-text-3">…</span>
  const [strongest] = found.lifts
  if (!strongest) return <span className="text-text-3">no suspects</span>
  const text = `${strongest.flag} = ${strongest.variation}`
  return (
    <span className="flex items-center gap-4">
      <Link
        to="/p/$project/flags/$flag"
        params={{ project, flag: strongest.flag }}
        title={text}
        className="block max-w-menu truncate font-code text-12 text-accent hover:underline"
      >
        {text}
      </Link>
      <FlagTelltale flag={strongest.flag} look="mark" />
    </span>
  )
}
