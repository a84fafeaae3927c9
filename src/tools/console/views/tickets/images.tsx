import { api } from '../../address.ts'
import { useAnswer } from '../../hooks.ts'
import { Empty, Refusal } from '../../parts/state.tsx'
import { toBytes } from '../../text.ts'
import type { Ticket } from './ticket-list.tsx'

export function Images({ images }: Pick<Ticket, 'images'>) {
  if (images.length === 0) return <Empty title="None. Operation 26 uploads them." />
  return (
    <ul class="images">
      {images.map((image) => (
        <Picture key={image.imageId} image={image} />
      ))}
    </ul>
  )
}

function Picture({ image: { imageId, fileName, contentType, size } }: { image: Ticket['images'][number] }) {
  const { data, error } = useAnswer(imageId, async () => toDataUrl(await api.image(imageId), contentType), {
    once: true,
  })
  return (
    <li>
      <div class="frame">{data ? <img src={data} alt={fileName} /> : null}</div>
      <span>{fileName}</span>
      <small>
        {contentType}, {toBytes(size)}
      </small>
      <Refusal error={error} />
    </li>
  )
}

/** The request needs the key, which an `img` address could not carry. */
function toDataUrl(bytes: Uint8Array, contentType: string): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte))
  return `data:${contentType};base64,${btoa(letters.join(''))}`
}
