import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'

export function ReleasesCrumb() {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/releases"
      params={{ project }}
      search={({ q }) => ({ q })}
      className="hover:underline"
    >
      Releases
    </Link>
  )
}
