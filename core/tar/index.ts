/** Archives of one file, as tar writes and reads them. */
export { FileReader, type ReadFile } from './read';
export { tarOf, type FileToWrite } from './write';
