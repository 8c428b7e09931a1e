/** Eight workers in a ring, one of which has the baton. The same as in the pages' icon. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="20" height="20" aria-hidden>
      <circle
        cx="16"
        cy="16"
        r="11"
        fill="none"
        stroke="currentColor"
        stroke-width="5"
        stroke-dasharray="6.64 2"
      />
      <circle
        cx="16"
        cy="5"
        r="4.5"
        fill="var(--accent)"
        stroke="var(--paper)"
        stroke-width="1.5"
      />
    </svg>
  );
}

/** Past the links of the head. No link does it: what is behind the sign may name a page. */
function toContent() {
  const main = document.querySelector("main");
  if (main) {
    main.tabIndex = -1;
    main.focus();
  }
}

/** What stands at the left of the head of every page. */
export function Brand() {
  return (
    <>
      <button class="skip" onClick={toContent}>
        Skip to content
      </button>
      <strong class="brand">
        <Logo />
        Ringmaster
      </strong>
    </>
  );
}
