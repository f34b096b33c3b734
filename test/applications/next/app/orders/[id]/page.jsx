'use client'

import { useParams } from 'next/navigation'
import { useEffect, useState } from 'react'

/** Asks for itself once it is there. */
export default function Order() {
  const { id } = useParams()
  const [order, setOrder] = useState()
  useEffect(() => {
    void fetch(`/api/orders/${id}`)
      .then((response) => response.json())
      .then(setOrder)
  }, [id])
  return <h1>{order ? `/orders/${id}` : 'wait'}</h1>
}
