import { useQuery } from '@tanstack/react-query'
import { codeOriginQuery } from '../../api/flags-as-code.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Notice } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'

/** Above the forms of a flag whose files are applied by `telltale apply`. */
export function ManagedInCode({ flag }: { flag: string }) {
  const { project } = useScope()
  const origin = useQuery(codeOriginQuery(project, flag)).data?.origin
  if (!origin) return null
  const { repository, file, url, commit, appliedAt, appliedBy } = origin
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
        </>
      }
    />
  )
}
