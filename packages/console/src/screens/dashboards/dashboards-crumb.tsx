import { Link } from '@tanstack/react-router'

export function DashboardsCrumb() {
  return (
    <Link from="/p/$project" to="/p/$project/dashboards" className="hover:text-text">
      Dashboards
    </Link>
  )
}
