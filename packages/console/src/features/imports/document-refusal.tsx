import type { Problem } from '../../api/problem.ts'
import { Notice } from '../../ui/notice.tsx'

/** Why a document was refused: every error with its place. */
export function DocumentRefusal({ problem }: { problem: Problem }) {
  const { title, detail, errors, requestId } = problem
  return (
    <Notice
      title={errors.length > 0 ? 'The document has errors' : title}
      requestId={requestId}
      detail={
        <>
          {detail && <p>{detail}</p>}
          <p>Nothing was imported.</p>
          {errors.length > 0 && (
            <ul className="my-6 grid max-h-[30vh] gap-2 overflow-y-auto">
              {errors.map(({ pointer, message }) => (
                <li key={`${pointer} ${message}`} className="wrap-anywhere">
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
