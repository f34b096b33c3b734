import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ProfiledCode, type ProfiledFrame, profiledCodeQuery } from '../../api/profiles.ts'
import { useScope } from '../../shell/scope-context.ts'
import { CodeLines } from '../../ui/code-lines.tsx'
import { Async, Empty } from '../../ui/states.tsx'

type FunctionCodeProps = { frame: ProfiledFrame; where: string }

/** What was written there, from the source map of the version that ran. */
export function FunctionCode({ frame, where }: FunctionCodeProps) {
  const { project, environment } = useScope()
  const found = useQuery({
    ...profiledCodeQuery({ project, env: environment.key }, frame),
    enabled: frame.file !== '',
  })
  if (frame.file === '') {
    return <Empty title="No code to show">It is code of the browser itself.</Empty>
  }
  return (
    <Async of={found}>
      {({ original, code, why }) =>
        original && code ? (
          <>
            <p className="truncate px-14 py-8 font-code text-12 text-text-2" title={where}>
              {where}
            </p>
            <CodeLines
              code={code}
              line={original.line}
              column={original.column}
              label={`Code of ${where}`}
              tone="plain"
            />
          </>
        ) : (
          <NoCode why={original ? 'no-code' : why} version={frame.version} />
        )
      }
    </Async>
  )
}

const sentences: Partial<Record<string, string>> = {
  'no-script': 'The browser reports no script for this frame.',
  'no-code': 'The source map brings no code.',
  inline: 'The script stands in the page itself, and has no map.',
  'third-party': 'The script belongs to another site or a browser extension.',
  'not-uploaded': 'No source map was uploaded for a script with this name.',
  'other-path': 'The map that was uploaded is of another folder.',
  'other-build': 'The map that was uploaded is of another build.',
  'other-version': 'The map that was uploaded is of another version.',
  'no-line': 'The map ends before this line, so it is of another build.',
  'no-position': 'The map does not know this place, so it is of another build.',
}

function NoCode({ why, version }: { why: ProfiledCode['why'] | 'no-code'; version: string }) {
  const { project } = useScope()
  return (
    <Empty
      title="No code to show"
      action={
        <Link
          to="/p/$project/settings/source-maps"
          params={{ project }}
          search={{ upload: true }}
          className="text-accent underline underline-offset-2"
        >
          Upload source maps{version && ` of version ${version}`}
        </Link>
      }
    >
      {sentences[why ?? ''] ?? 'This place was found in no source map.'}
    </Empty>
  )
}
