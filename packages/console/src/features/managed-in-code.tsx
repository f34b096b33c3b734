import { useQuery } from '@tanstack/react-query'
import { type CodeKind, codeOriginQuery } from '../api/flags-as-code.ts'
import { useScope } from '../shell/scope-context.ts'
import { DiffLines } from '../ui/diff/diff-view.tsx'
import { Notice } from '../ui/notice.tsx'
import { TimeAgo } from '../ui/text/time.tsx'

type ManagedInCodeProps = {
  kind: CodeKind
  /** The key, or the name of an alert or a dashboard. */
  entry: string
}

/** Above the form of an entry whose file is applied by `telltale apply`: where the file is, and what differs from it. */
export function ManagedInCode({ kind, entry }: ManagedInCodeProps) {
  const { project } = useScope()
  const found = useQuery(codeOriginQuery(project, kind, entry)).data
  if (!found?.origin) return null
  const { repository, file, url, commit, appliedAt, appliedBy } = found.origin
  const path = <code className="break-all text-12">{file}</code>

  return (
    <Notice
      tone="info"
      title="Managed in code"
      detail={
        <>
          {url === null ? (
            path
          ) : (
            <a href={url} target="_blank" rel="noreferrer" className="underline underline-offset-2">
              {path}
            </a>
          )}
          {repository !== '' && <> in {repository}</>}
          {commit !== '' && (
            <>
              , commit <code className="text-12">{commit.slice(0, 8)}</code>
            </>
          )}
          , applied <TimeAgo at={appliedAt} /> by {appliedBy}. What you change here is undone by the next
          application, unless the file is changed too.
          {found.drift.length > 0 && (
            <details className="pt-4">
              <summary className="w-fit cursor-pointer rounded-control font-medium text-warn">
                Differs from the file
              </summary>
              <div className="grid min-w-0 gap-8 pt-6">
                <p>The next application of the same file makes these changes.</p>
                {found.drift.map(({ env, lines }) => (
                  <div key={env} className="grid min-w-0 gap-4">
                    {env !== null && <p className="font-medium">In {env}</p>}
                    <DiffLines
                      lines={lines}
                      label={`Changes of ${entry}${env === null ? '' : ` in ${env}`}`}
                    />
                  </div>
                ))}
              </div>
            </details>
          )}
        </>
      }
    />
  )
}
