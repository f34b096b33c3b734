export function Footer() {
  return (
    <footer>
      <p>
        <b>Pedal &amp; Post</b>, bicycles and what belongs on them. Workshop and counter: Kastanienallee 12,
        Tuesday to Saturday.
      </p>
      <p className="quiet">
        An invented shop. Nothing here can be bought, and all of it is watched by the Telltale server that it
        came from.
      </p>
    </footer>
  )
}
