"""Images on their way to a model."""

from base64 import b64encode
from typing import Final

from quorate.models.errors import ModelError
from quorate.models.faults import Target
from quorate.models.port import Image, Message, UserMessage

MEDIA_TYPES: Final = ("image/gif", "image/jpeg", "image/png", "image/webp")


def base64_of(image: Image) -> str:
    if image.media_type not in MEDIA_TYPES:
        message = f"Models cannot read {image.media_type}: attach the image as PNG, JPEG, GIF or WebP."
        raise ModelError("unsupported_image", message)
    return b64encode(image.data).decode("ascii")


def data_url(image: Image) -> str:
    return f"data:{image.media_type};base64,{base64_of(image)}"


def refuse_images(messages: tuple[Message, ...], target: Target) -> None:
    if any(isinstance(message, UserMessage) and message.images for message in messages):
        raise ModelError(
            "unsupported_image", f"{target.provider} takes no images: attach text, or choose another backend."
        )
