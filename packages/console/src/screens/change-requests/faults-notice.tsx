import type { Problem } from '../../api/problem.ts'
import { Notice } from '../../ui/notice.tsx'

/** A refusal with all its faults. */
export function FaultsNotice({ problem }: { problem: Problem | null | undefined }) {
  if (!problem) return null
  return (
    <Notice
      title={problem.title}
      requestId={problem.requestId}
      detail={
        <>
          {problem.detail && <p>{problem.detail}</p>}
          {problem.errors.length > 0 && (
            <ul className="list-inside list-disc [overflow-wrap:anywhere]">
              {problem.errors.map(({ pointer, message }) => (
                <li key={`${pointer} ${message}`}>
                  <code>{pointer}</code> {message}
                </li>
              ))}
            </ul>
          )}
        </>
      }
    />
  )
}
