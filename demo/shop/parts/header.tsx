import { useFlag } from '@telltale/browser/react'
import { type FormEvent, useState } from 'react'
import { categories } from '../../api/catalogue.ts'
import { useCart } from '../cart.ts'
import { go } from '../routes.ts'
import { signIn } from '../telltale.ts'
import { Link } from './link.tsx'

export function Header() {
  const banner = useFlag('promo-banner', '')
  const { products } = useCart()
  const [isMember, setMember] = useState(false)
  const [question, setQuestion] = useState('')
  const search = (event: FormEvent) => {
    event.preventDefault()
    if (question.trim() !== '') go(`/search?q=${encodeURIComponent(question.trim())}`)
  }
  const toggle = () => {
    setMember(!isMember)
    signIn(!isMember)
  }

  return (
    <>
      {banner !== '' && <p className="banner">{banner}</p>}
      <header>
        <Link to="/" className="brand" aria-label="Pedal & Post, home">
          <Mark />
          <span>
            Pedal <i>&amp;</i> Post
          </span>
        </Link>
        <nav aria-label="Categories">
          {Object.entries(categories).map(([key, name]) => (
            <Link key={key} to={`/c/${key}`}>
              {name}
            </Link>
          ))}
        </nav>
        <search>
          <form className="search" onSubmit={search}>
            <input
              aria-label="Search the shop"
              placeholder="Tyre, helmet, bike for two children"
              value={question}
              onChange={(event) => setQuestion(event.target.value)}
            />
            <button type="submit">Search</button>
          </form>
        </search>
        <div className="mine">
          <button type="button" className="plain" aria-pressed={isMember} onClick={toggle}>
            {isMember ? 'Club member' : 'Sign in'}
          </button>
          <Link to="/cart" className="cart-link">
            Cart <b>{products.length}</b>
          </Link>
        </div>
      </header>
    </>
  )
}

function Mark() {
  return (
    <svg viewBox="0 0 44 44" width="38" height="38" aria-hidden="true">
      <circle cx="22" cy="22" r="19" fill="none" stroke="currentColor" strokeWidth="3" />
      <rect
        x="11"
        y="15"
        width="22"
        height="15"
        rx="1.5"
        fill="var(--accent)"
        stroke="currentColor"
        strokeWidth="2.4"
      />
      <path
        d="M11.5 16l10.5 8 10.5-8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinejoin="round"
      />
    </svg>
  )
}
