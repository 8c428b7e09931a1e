/** What the figures come to, in words. */
export function Sentences({ sentences }: { sentences: string[] }) {
  return (
    <ul class="sentences">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
