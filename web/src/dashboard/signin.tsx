import { useState } from "preact/hooks";

interface SignInProps {
  /** Why the last token was refused, in the server's words; empty: there was none. */
  refusal: string;
  onToken: (token: string) => void;
}

export function SignIn({ refusal, onToken }: SignInProps) {
  const [text, setText] = useState("");
  return (
    <main class="sign-in">
      <h1>Ringmaster</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onToken(text.trim());
        }}
      >
        <label>
          Token
          <input
            type="password"
            name="token"
            autocomplete="off"
            autofocus
            required
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button>Sign in</button>
      </form>
      <p class="fails" role="alert">
        {refusal}
      </p>
      <p class="muted">
        An admin makes one with <code>ringmaster token add NAME</code>. It is kept in this tab until
        you sign out or close it.
      </p>
    </main>
  );
}
