import { GrowingBytes } from '../../core/kube';

/** The JSON of an array as the bytes of a file, put together value by value: no text of all of them is ever held. */
export class JsonArrayFile {
  private readonly bytes = new GrowingBytes();

  push(value: object): void {
    this.bytes.pushText(this.bytes.length === 0 ? '[' : ',');
    this.bytes.pushText(JSON.stringify(value));
  }

  /** The file. Nothing can be added any more; `release` gives its memory back. */
  end(): { readonly data: Buffer; readonly release: () => void } {
    this.bytes.pushText(this.bytes.length === 0 ? '[]' : ']');
    return {
      data: this.bytes.bytes(),
      release: () => {
        this.bytes.release();
      },
    };
  }
}
