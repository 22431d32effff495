#include "wire/encode_dialogue.h"

#include "judge/dialogue.h"
#include "wire/base64.h"
#include "wire/encode_facts.h"
#include "wire/utf8.h"

namespace assay::wire {
namespace {

// As text where it is text; a character may be cut by the end of a write.
void append_remark(Object& object, const exec::Remark& remark, bool managed) {
  const judge::Voice voice = judge::voice_of(remark.voice);
  const bool manager = managed && voice == judge::Voice::Interactor;
  object.text("from", manager ? "manager" : judge::name_of(voice));
  if (managed) object.number("process", static_cast<int>(judge::process_of(remark.voice)));
  object.number("atUs", std::chrono::floor<std::chrono::microseconds>(remark.at).count());
  if (is_utf8(remark.bytes)) {
    object.text("text", remark.bytes);
  } else {
    std::string& value = object.value("base64");
    value += '"';
    append_base64(value, remark.bytes);
    value += '"';
  }
}

void append_dialogue(std::string& out, const exec::Dialogue& dialogue, bool managed) {
  Object object(out);
  append_list(object.value("events"), dialogue.remarks,
              [managed](std::string& into, const exec::Remark& remark) {
                Object one(into);
                append_remark(one, remark, managed);
                one.close();
              });
  object.count("bytes", dialogue.bytes);
  object.flag("truncated", dialogue.truncated);
  object.close();
}

}  // namespace

void append_said(std::string& out, const service::SaidInTest& said) {
  Object object(out);
  object.text("testId", said.test_id);
  append_remark(object, said.remark, said.managed);
  object.close();
}

void append_interaction(std::string& out, const judge::InteractionResult& interaction,
                        bool with_facts) {
  Object object(out);
  const bool managed = interaction.managed;
  object.text("firstToEnd", interaction.solution_first ? "solution"
                            : managed                  ? "manager"
                                                       : "interactor");
  if (interaction.dialogue)
    append_dialogue(object.value("dialogue"), *interaction.dialogue, managed);
  if (with_facts && interaction.interactor)
    append_facts(object.value(managed ? "managerFacts" : "interactorFacts"),
                 *interaction.interactor);
  object.close();
}

}  // namespace assay::wire
